"use strict";
// Steps through a hand: what is on the table after a step follows from all steps up to it.
(() => {
  const { seats, hands } = JSON.parse(document.getElementById("replay-data").textContent);
  if (!hands.length) return;
  const element = (name) => document.getElementById(`replay-${name}`);
  const [hand, felt, told, photo, at] = ["hand", "felt", "told", "photo", "at"].map(element);
  const [first, back, next, last] = ["first", "back", "next", "last"].map(element);
  const stepText = document.querySelector(".replay").dataset.step;

  function tableAfter(steps, count) {
    const winners = new Map();
    let trick = 0;
    const table = seats.map(() => ({ bid: "", taken: 0, card: "", goes: "", wins: false, points: "" }));
    for (const step of steps.slice(0, count + 1)) {
      if (step.cards && table.some((seat) => seat.wins)) {
        for (const seat of table) Object.assign(seat, { card: "", wins: false });
      }
      for (const seat of table) seat.goes = "";
      for (const [seat, bid] of step.bids ?? []) table[seat].bid = bid;
      for (const [seat, card, stays] of step.cards ?? []) table[seat][stays ? "card" : "goes"] = card;
      if ("back" in step) {
        if (table.some((seat) => seat.wins)) winners.delete(trick);
        for (const seat of table) seat.wins = false;
        table[step.back].card = "";
      }
      if ("won" in step) {
        trick = step.won[0];
        winners.set(trick, step.won[1]);
        table[step.won[1]].wins = true;
      }
      for (const [seat, points] of step.points ?? []) {
        Object.assign(table[seat], { card: "", wins: false, points });
      }
    }
    for (const winner of winners.values()) table[winner].taken += 1;
    return table;
  }

  function make(tag, className, text, parent) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    parent.append(made);
    return made;
  }

  function draw() {
    const { trump, around, steps } = hands[hand.value];
    const count = Number(at.value);
    const step = steps[count];
    felt.replaceChildren();
    felt.style.setProperty("--seats", seats.length);
    make("div", trump.length > 2 ? "trump word" : "trump", trump, felt);
    tableAfter(steps, count).forEach((seat, index) => {
      const angle = (2 * Math.PI * around.indexOf(index)) / seats.length;
      const place = make("div", seat.wins ? "seat wins" : "seat", "", felt);
      place.style.left = `calc(50% + ${Math.sin(angle).toFixed(4)} * (50% - 3rem))`;
      place.style.top = `calc(50% - ${Math.cos(angle).toFixed(4)} * (50% - 3.4rem))`;
      make("bdi", "name", seats[index], place);
      const figures = seat.points || (seat.bid === "" ? "" : `${seat.taken} / ${seat.bid}`);
      make("bdi", "figures", figures, place);
      const box = make("div", "place", "", place);
      const card = seat.card || seat.goes;
      if (card) make("span", `card${/[♥♦]/.test(card) ? " red" : ""}${seat.card ? "" : " goes"}`, card, box);
    });
    told.textContent = step.text;
    told.classList.toggle("ruling", Boolean(step.ruling));
    const finish = document.getElementById(`photo-${step.photo}`)?.cloneNode();
    finish?.removeAttribute("id");
    photo.replaceChildren(...(finish ? [finish] : []));
    at.setAttribute("aria-valuetext", stepText.replace("@", count + 1).replace("#", steps.length));
    for (const button of [first, back]) button.disabled = count === 0;
    for (const button of [next, last]) button.disabled = count === steps.length - 1;
  }

  function go(count) {
    at.value = count;
    draw();
  }

  function choose(number) {
    hand.value = number;
    at.max = hands[number].steps.length - 1;
    go(0);
  }

  hand.addEventListener("change", () => choose(hand.value));
  at.addEventListener("input", draw);
  first.addEventListener("click", () => go(0));
  back.addEventListener("click", () => go(Number(at.value) - 1));
  next.addEventListener("click", () => go(Number(at.value) + 1));
  last.addEventListener("click", () => go(at.max));
  for (const button of document.querySelectorAll("button[data-hand]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      choose(button.dataset.hand);
      document.getElementById("replay").scrollIntoView();
      next.focus();
    });
  }
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  document.getElementById("replay").hidden = false;
  choose(0);
})();
