"use strict";
(() => {
  const SIZE = 40; // rows of a page
  const data = JSON.parse(document.getElementById("data").textContent);
  const list = document.getElementById("list");
  const form = document.getElementById("filter");
  const pager = document.getElementById("pager");
  const names = data.rows.map(([run, , place, sample]) => `row-${run + 1}-${place}-${sample}`);
  const places = new Map(names.map((name, place) => [name, place]));
  let found = [];
  let page = 0;

  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const spoken = (tag, name, text, lang) => {
    const made = make(tag, name, text);
    made.dir = "auto";
    if (lang) made.lang = lang;
    return made;
  };
  const SIGNS = { right: "✓", wrong: "✗" };
  const plain = (name) => name.replaceAll("_", " ");

  const part = (title, content) => {
    const made = make("div");
    made.append(make("h4", "", title), content);
    return made;
  };

  const body = (place) => {
    const [run, item, , sample, outcome, , text, scores, finish, asked, written, seconds] =
      data.rows[place];
    const [, lang, level, prompt, solution] = data.items[item];
    const made = make("div", "body");
    made.append(part("Asked", spoken("pre", "", prompt, lang)));
    const said = make("div");
    said.append(part(outcome === "error" ? "Error" : "Completion", spoken("pre", "", text)));
    said.append(part("A right answer", spoken("pre", "", solution, lang)));
    made.append(said);
    const facts = [data.runs[run], `sample ${sample + 1}`];
    if (level !== null) facts.push(`level ${level}`);
    data.rules.forEach((rule, number) => {
      if (typeof scores[number] === "number") {
        facts.push(`${plain(rule)} ${scores[number].toFixed(2)}`);
      }
    });
    if (finish) facts.push(`ended by ${finish}`);
    if (asked !== null) facts.push(`${asked} tokens read`);
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
    const shown = found.slice(page * SIZE, (page + 1) * SIZE);
    list.replaceChildren(...shown.map(row));
    const count = `${found.length.toLocaleString("en")} of ${data.rows.length.toLocaleString("en")}`;
    document.getElementById("count").textContent =
      `${count} completions: outcome, item, what was said, a right answer. Open one to read it.`;
    const last = Math.max(0, Math.ceil(found.length / SIZE) - 1);
    pager.hidden = last === 0;
    pager.querySelector("span").textContent = `page ${page + 1} of ${last + 1}`;
    pager.querySelector('[data-step="-1"]').disabled = page === 0;
    pager.querySelector('[data-step="1"]').disabled = page === last;
  };

  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const text = wanted.text.toLowerCase();
    found = [];
    data.rows.forEach(([run, item, , , outcome, answer, said], place) => {
      const [task, lang] = data.items[item];
      if (wanted.run !== "" && String(run) !== wanted.run) return;
      if (wanted.task !== "" && task !== wanted.task) return;
      if (wanted.lang !== "" && lang !== wanted.lang) return;
      if (wanted.outcome !== "" && outcome !== wanted.outcome) return;
      if (text && !(said.toLowerCase().includes(text) || (answer || "").toLowerCase().includes(text))) return;
      found.push(place);
    });
    page = 0;
    show();
  };

  const follow = () => {
    const place = places.get(decodeURIComponent(location.hash.slice(1)));
    if (place === undefined) return;
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

  const choices = (name, pairs) => {
    for (const [value, text] of pairs) {
      const option = make("option", "", text);
      option.value = value;
      form.elements[name].append(option);
    }
  };
  const once = (values) => [...new Set(values)];
  choices("run", data.runs.map((label, place) => [place, label]));
  choices("task", once(data.items.map((item) => item[0])).map((task) => [task, task]));
  choices("lang", once(data.items.map((item) => item[1])).sort().map((lang) => [lang, lang]));
  choices("outcome", once(data.rows.map((one) => one[4])).sort().map((one) => [one, plain(one)]));
  form.hidden = false;
  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 120);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  pager.addEventListener("click", (event) => {
    const step = Number(event.target.dataset.step || 0);
    if (!step) return;
    page += step;
    show();
    document.getElementById("rows").scrollIntoView();
  });
  window.addEventListener("hashchange", follow);
  filter();
  follow();
})();
