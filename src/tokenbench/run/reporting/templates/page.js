"use strict";
(async () => {
  const SIZE = 40; // rows of a page
  const FILTERS = ["run", "task", "lang", "outcome", "sort", "text"];
  const CUT_OFF = "cut_off";

  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const plain = (name) => name.replaceAll("_", " ");

  // Tables: a button in each head sorts the rows; cells without a number come last.
  const value = (row, column) => {
    const cell = row.cells[column];
    const text = (cell.dataset.sort ?? cell.textContent).trim();
    const number = Number(text.replaceAll(",", ""));
    if (text === "" || text === "–") return null;
    return Number.isNaN(number) ? text.toLowerCase() : number;
  };
  const compare = (one, other) =>
    typeof one === "number" && typeof other === "number"
      ? one - other
      : String(one).localeCompare(String(other), "en", { numeric: true });
  const sortTable = (table, head) => {
    const column = head.cellIndex;
    const rows = [...table.tBodies[0].rows].map((row) => [value(row, column), row]);
    const before = head.getAttribute("aria-sort");
    const numbers = rows.every(([one]) => one === null || typeof one === "number");
    const first = numbers ? "descending" : "ascending";
    const second = numbers ? "ascending" : "descending";
    const order = before === first ? second : first;
    const sign = order === "ascending" ? 1 : -1;
    rows.sort(([one], [other]) =>
      one === null || other === null ? (one === null) - (other === null) : sign * compare(one, other));
    for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    table.tBodies[0].append(...rows.map(([, row]) => row));
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    for (const head of table.tHead.rows[0].querySelectorAll("th:not(.unsorted)")) {
      const button = make("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortTable(table, head));
      head.append(button);
    }
  }

  // A report that is still being written loads itself again, unless somebody reads a row.
  const seconds = Number(document.documentElement.dataset.reload);
  if (seconds) {
    const often = seconds === 1 ? "every second" : `every ${seconds} seconds`;
    const note = `This page loads itself again ${often} while the runs go on.`;
    document.querySelector("header").append(make("p", "note", note));
    setInterval(() => {
      const busy = document.querySelector(".row[open]") || document.activeElement.form;
      if (!busy) location.reload();
    }, seconds * 1000);
  }

  const read = async (element) => {
    if (element.type === "application/json") return JSON.parse(element.textContent);
    const bytes = Uint8Array.from(atob(element.textContent), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const element = document.getElementById("data");
  let data;
  try {
    data = await read(element);
  } catch {
    document.getElementById("count").textContent =
      "This browser cannot unpack the rows: all of them are in results.csv.";
    return;
  }
  const list = document.getElementById("list");
  const form = document.getElementById("filter");
  const pager = document.getElementById("pager");
  const names = data.rows.map(([run, , place, sample]) => `row-${run + 1}-${place}-${sample}`);
  const places = new Map(names.map((name, place) => [name, place]));
  let found = [];
  let page = 0;

  const spoken = (tag, name, text, lang) => {
    const made = make(tag, name, text);
    made.dir = "auto";
    if (lang) made.lang = lang;
    return made;
  };
  const SIGNS = { right: "✓", wrong: "✗" };

  const part = (title, content) => {
    const made = make("div");
    made.append(make("h4", "", title), content);
    return made;
  };

  const asked = (messages, prompt, lang) => {
    const made = make("div");
    // Those of the user alone that are the item's own prompt are not repeated.
    if (messages === -1) {
      made.append(part("Asked", spoken("pre", "", prompt, lang)));
      return made;
    }
    const all = data.messages[messages];
    for (const [role, text] of all) {
      made.append(part(all.length > 1 ? `Sent as ${role}` : "Asked", spoken("pre", "", text, lang)));
    }
    return made;
  };

  const body = (place) => {
    const [run, item, , sample, outcome, , text, scores, finish, read, written, seconds, reason, , messages] =
      data.rows[place];
    const [, lang, level, prompt, solution, id, seed, index] = data.items[item];
    const made = make("div", "body");
    made.append(asked(messages, prompt, lang));
    const said = make("div");
    said.append(part(outcome === "error" ? "Error" : "Completion", spoken("pre", "", text)));
    said.append(part("A right answer", spoken("pre", "", solution, lang)));
    if (reason) said.append(part("Why it is judged so", spoken("p", "reason", reason)));
    made.append(said);
    const facts = [data.runs[run], `item ${id}`];
    if (seed) facts.push(`item seed ${seed}`);
    if (index) facts.push(`index ${index}`);
    if (level !== null) facts.push(`level ${level}`);
    facts.push(`sample ${sample + 1}`);
    data.rules.forEach((rule, number) => {
      if (typeof scores[number] === "number") {
        facts.push(`${plain(rule)} ${scores[number].toFixed(2)}`);
      }
    });
    if (finish) facts.push(`ended by ${finish}`);
    if (read !== null) facts.push(`${read} tokens read`);
    if (written !== null) facts.push(`${written} written`);
    facts.push(`${seconds} s`);
    const line = make("p", "facts-line", facts.join(" · ") + " · ");
    const link = make("a", "", "link to this row");
    link.href = `#${names[place]}`;
    line.append(link);
    made.append(line);
    return made;
  };

  const row = (place) => {
    const [run, item, , , outcome, answer] = data.rows[place];
    const [task, lang, , , solution] = data.items[item];
    const made = make("details", "row");
    made.id = names[place];
    const head = make("summary");
    const kind = outcome in SIGNS ? outcome : "none";
    head.append(make("span", `badge o-${kind}`, `${SIGNS[outcome] || "○"} ${plain(outcome)}`));
    head.append(make("span", "what", `${task}, ${lang} · ${data.runs[run]}`));
    head.append(spoken("span", "said", answer === null ? "–" : answer, lang));
    head.append(spoken("span", "said right", solution, lang));
    made.append(head);
    made.addEventListener("toggle", () => {
      if (made.open && made.childElementCount === 1) made.append(body(place));
    });
    return made;
  };

  const show = () => {
    const last = Math.max(0, Math.ceil(found.length / SIZE) - 1);
    page = Math.min(Math.max(page, 0), last);
    const shown = found.slice(page * SIZE, (page + 1) * SIZE);
    list.replaceChildren(...shown.map(row));
    const count = `${found.length.toLocaleString("en")} of ${data.rows.length.toLocaleString("en")}`;
    document.getElementById("count").textContent = `${count} completions. Open one to read it.`;
    document.getElementById("head").hidden = found.length === 0;
    pager.hidden = last === 0;
    pager.querySelector("span").textContent = `page ${page + 1} of ${last + 1}`;
    pager.querySelector('[data-step="-1"]').disabled = page === 0;
    pager.querySelector('[data-step="1"]').disabled = page === last;
  };

  // What a row is sorted by; lower comes first.
  const MEASURES = {
    task: ([, item]) => data.items[item][0],
    outcome: (one) => one[4],
    score: (one) => one[7].find((score) => score !== null) ?? 2,
    written: (one) => -(one[10] ?? -1),
    seconds: (one) => -one[11],
  };

  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const text = wanted.text.toLowerCase();
    found = [];
    data.rows.forEach((one, place) => {
      const [run, item, , , outcome, answer, said] = one;
      const [task, lang] = data.items[item];
      if (wanted.run !== "" && String(run + 1) !== wanted.run) return;
      if (wanted.task !== "" && task !== wanted.task) return;
      if (wanted.lang !== "" && lang !== wanted.lang) return;
      if (wanted.outcome === CUT_OFF ? !one[13] : wanted.outcome !== "" && outcome !== wanted.outcome) return;
      if (text && !(said.toLowerCase().includes(text) || (answer || "").toLowerCase().includes(text))) return;
      found.push(place);
    });
    const measure = MEASURES[wanted.sort];
    if (measure) {
      const keys = new Map(found.map((place) => [place, measure(data.rows[place])]));
      found.sort((one, other) => compare(keys.get(one), keys.get(other)) || one - other);
    }
    page = 0;
  };

  // The address keeps the filters, so that it can be sent to others.
  const keep = () => {
    const choices = new URLSearchParams();
    for (const name of FILTERS) {
      if (form.elements[name].value) choices.set(name, form.elements[name].value);
    }
    if (page) choices.set("page", page + 1);
    const query = choices.toString();
    history.replaceState(null, "", query ? `#rows?${query}` : "#rows");
  };

  const goTo = (place) => {
    if (!found.includes(place)) {
      form.reset();
      filter();
    }
    page = Math.floor(found.indexOf(place) / SIZE);
    show();
    const target = document.getElementById(names[place]);
    target.classList.add("current");
    target.open = true;
    target.scrollIntoView({ block: "start" });
    target.firstElementChild.focus({ preventScroll: true });
  };

  const follow = () => {
    const hash = location.hash.slice(1);
    const place = places.get(hash);
    if (place !== undefined) return goTo(place);
    if (!hash.startsWith("rows?")) return;
    const choices = new URLSearchParams(hash.slice("rows?".length));
    form.reset();
    for (const name of FILTERS) {
      const field = form.elements[name];
      field.value = choices.get(name) ?? "";
      // What no row has, such as a task of another report, chooses nothing.
      if (field.selectedIndex === -1) field.value = "";
    }
    filter();
    page = (Number(choices.get("page")) || 1) - 1;
    show();
    document.getElementById("rows").scrollIntoView();
  };

  const choices = (name, pairs) => {
    for (const [value, text] of pairs) {
      const option = make("option", "", text);
      option.value = value;
      form.elements[name].append(option);
    }
  };
  const once = (values) => [...new Set(values)];
  choices("run", data.runs.map((label, place) => [place + 1, label]));
  choices("task", once(data.items.map((item) => item[0])).map((task) => [task, task]));
  choices("lang", once(data.items.map((item) => item[1])).sort().map((lang) => [lang, lang]));
  choices("outcome", once(data.rows.map((one) => one[4])).sort().map((one) => [one, plain(one)]));
  if (data.rows.some((one) => one[13])) choices("outcome", [[CUT_OFF, plain(CUT_OFF)]]);
  form.hidden = false;
  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      filter();
      show();
      keep();
    }, 120);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  pager.addEventListener("click", (event) => {
    const step = Number(event.target.dataset.step || 0);
    if (!step) return;
    page += step;
    show();
    keep();
    document.getElementById("rows").scrollIntoView();
  });
  window.addEventListener("hashchange", follow);
  filter();
  show();
  follow();
})();
