// Operations of the API, tried from its description: the request is sent as the form says, the answer is shown as it came.

import { duration, say } from "./page.js";

const MOST = 20000;

function address(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll("[data-in]")) {
    const value = field.value.trim();
    if (field.dataset.in === "path") {
      path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    } else if (value !== "") {
      for (const one of "list" in field.dataset ? value.split(/[\s,]+/) : [value]) query.append(field.name, one);
    }
  }
  return query.size ? `${path}?${query}` : path;
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function ask(form) {
  const shown = form.querySelector(".tried"), [said, answer] = shown.children;
  const init = { method: form.dataset.method };
  if (form.elements.body) {
    init.headers = { "Content-Type": "application/json" };
    init.body = form.elements.body.value;
  }
  shown.hidden = false;
  said.textContent = "…";
  answer.textContent = "";
  const began = performance.now();
  let response, text;
  try {
    response = await fetch(address(form), init);
    text = await response.text();
  } catch {
    said.textContent = say("unreachable");
    return;
  }
  const time = duration(performance.now() - began);
  const whole = readable(text);
  const status = `${response.status} ${response.statusText}`;
  said.textContent = say("answered", { status, bytes: new TextEncoder().encode(text).length, time });
  if (whole.length > MOST) said.textContent += `. ${say("cut", { count: MOST })}`;
  answer.textContent = whole.slice(0, MOST);
  answer.hidden = whole === "";
}

for (const form of document.querySelectorAll("form[data-path]")) {
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(form); });
}
