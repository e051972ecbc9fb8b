// Boards as text, read as the server reads them: tiles split by spaces, else one letter a cell, else canonical text.

const BLANKS = new Set([".", "_", "-"]);

export function face(tile) {
  if (BLANKS.has(tile)) return ".";
  const shown = tile.slice(0, 1).toUpperCase() + tile.slice(1).toLowerCase();
  return shown === "Q" ? "Qu" : shown;
}

function canonical(letters) {
  return letters.match(/\.|[^.\p{Ll}]\p{Ll}*|\p{Ll}+/gu) ?? [];
}

// The tiles of a text; their number may not be that of the cells.
export function readTiles(text, cells) {
  const tokens = text.normalize("NFC").trim().replaceAll("/", " ").split(/\s+/u).filter(Boolean);
  const letters = [...tokens.join("")];
  if (tokens.length === cells) return tokens.map(face);
  if (letters.length === cells || letters.every((letter) => /[\p{Ll}.]/u.test(letter))) return letters.map(face);
  return canonical(letters.join("")).map(face);
}

export function writeTiles(tiles) {
  return tiles.join("");
}
