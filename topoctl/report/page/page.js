"use strict";
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const table = byId("networks"), body = table.tBodies[0];

  // Sort: numbers by value, texts by letters with their numbers, what is missing always last.
  const order = new Intl.Collator("en", { numeric: true }).compare;
  const sortBy = (head) => {
    const down = head.ariaSort === "ascending", numbers = head.dataset.kind === "number";
    all("th", table.tHead).forEach((other) => other.removeAttribute("aria-sort"));
    head.ariaSort = down ? "descending" : "ascending";
    const keyed = [...body.rows].map((row) => [row.cells[head.cellIndex].dataset.v, row]);
    const compare = numbers ? (a, b) => a - b : order;
    keyed.sort(([a], [b]) => {
      if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
      return down ? compare(b, a) : compare(a, b);
    });
    body.append(...keyed.map(([, row]) => row));
  };
  table.tHead.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) sortBy(button.closest("th"));
  });

  // Point: a network's point, row and card are one.
  const points = new Map(all("#points .point").map((point) => [point.dataset.n, point]));
  const pointed = byId("pointed");
  let here = null;
  const pointAt = (number) => {
    if (number === here) return;
    for (const [one, on] of [[here, false], [number, true]]) {
      if (one === null) continue;
      points.get(one)?.classList.toggle("here", on);
      byId("n" + one)?.classList.toggle("here", on);
      byId("c" + one)?.classList.toggle("here", on);
    }
    here = number;
    if (pointed) pointed.textContent = number === null ? "" : points.get(number)?.firstChild.textContent ?? "";
  };
  const numberOf = (target) => {
    const part = target.closest?.("#points .point, #networks tbody tr, article");
    return part ? part.dataset.n ?? part.id.slice(1) : null;
  };
  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const number = numberOf(event.target);
      if (number !== null) pointAt(number);
    });
  }
  const goTo = (number) => {
    const part = byId("c" + number) ?? byId("n" + number);
    part?.scrollIntoView({ block: "nearest" });
    part?.focus({ preventScroll: true });
  };
  for (const point of points.values()) {
    point.addEventListener("click", () => goTo(point.dataset.n));
    point.addEventListener("keydown", (event) => { if (event.key === "Enter") goTo(point.dataset.n); });
  }

  addEventListener("beforeprint", () => all("details").forEach((part) => { part.open = true; }));

  // Axes: every point knows where it is along each; the line joins the best of the front by the two that are shown.
  const axes = byId("axes");
  if (!axes) return;
  const frame = document.querySelector("#scatter .frame");
  const [left, top, width, height] = ["x", "y", "width", "height"].map((name) => frame[name].baseVal.value);
  const draw = () => {
    const chosen = [byId("x"), byId("y")].map((select) => select.selectedIndex);
    const signs = [byId("x"), byId("y")].map((select) => Number(select.selectedOptions[0].dataset.sign));
    all("#scatter .axis").forEach((group) => {
      const wanted = chosen[group.classList.contains("x") ? 0 : 1];
      group.toggleAttribute("hidden", Number(group.dataset.q) !== wanted);
    });
    const places = [], front = document.querySelector("#points .front") !== null;
    for (const point of points.values()) {
      const shares = point.dataset.u.split(" ");
      const [x, y] = chosen.map((number) => parseFloat(shares[number]));
      const known = !(Number.isNaN(x) || Number.isNaN(y));
      point.toggleAttribute("hidden", !known);
      if (!known) continue;
      const inside = [x, y].map((share) => Math.min(Math.max(share, 0), 1)), beyond = [x - inside[0], inside[1] - y];
      const at = [left + inside[0] * width, top + (1 - inside[1]) * height].map((value) => value.toFixed(1));
      const out = beyond.some(Boolean), angle = 45 * Math.round(Math.atan2(beyond[1], beyond[0]) * 4 / Math.PI);
      point.classList.toggle("out", out);
      point.setAttribute("transform", `translate(${at.join(" ")})${out ? ` rotate(${angle})` : ""}`);
      if (!front || point.classList.contains("front")) places.push([x * signs[0], y * signs[1], at.join(",")]);
    }
    places.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    let least = Infinity;
    const best = places.filter(([, y]) => y < least && ((least = y), true));
    byId("line").setAttribute("points", best.map(([, , at]) => at).join(" "));
  };
  axes.hidden = false;
  axes.addEventListener("change", draw);
  draw();
})();
