// Boards as text, read as the server reads them: tiles split by spaces, else one letter a cell, else canonical text.

const BLANKS = new Set([".", "_", "-"]);
export const MIN_SIDE = 2, MAX_SIDE = 6;

export function face(tile) {
  if (BLANKS.has(tile)) return ".";
  const shown = tile.slice(0, 1).toUpperCase() + tile.slice(1).toLowerCase();
  return shown === "Q" ? "Qu" : shown;
}

function canonical(letters) {
  return letters.match(/\.|[^.\p{Ll}]\p{Ll}*|\p{Ll}+/gu) ?? [];
}

// A u that follows a q belongs to its tile.
function withoutU(letters) {
  return letters.filter((letter, place) => letter.toLowerCase() !== "u" || letters[place - 1]?.toLowerCase() !== "q");
}

// The tiles of a text; their number may not be that of the cells.
export function readTiles(text, cells) {
  const tokens = text.normalize("NFC").trim().replaceAll("/", " ").split(/\s+/u).filter(Boolean);
  const letters = [...tokens.join("")];
  if (tokens.length === cells) return tokens.map(face);
  if (letters.length === cells) return letters.map(face);
  const joined = withoutU(letters);
  const plain = letters.every((letter) => /[\p{Ll}.]/u.test(letter)) || letters.every((letter) => /[\p{Lu}.]/u.test(letter));
  if (joined.length < letters.length && joined.length === cells && plain) return joined.map(face);
  if (plain) return letters.map(face);
  return canonical(letters.join("")).map(face);
}

export function writeTiles(tiles) {
  return tiles.join("");
}

// [rows, columns, tiles] of the boards that a text fills, the squarest first.
export function fitting(text) {
  const found = [];
  for (let rows = MIN_SIDE; rows <= MAX_SIDE; rows++) {
    for (let columns = MIN_SIDE; columns <= MAX_SIDE; columns++) {
      const tiles = readTiles(text, rows * columns);
      if (tiles.length === rows * columns) found.push([rows, columns, tiles]);
    }
  }
  return found.sort((a, b) => Math.abs(a[0] - a[1]) - Math.abs(b[0] - b[1]));
}
