/**
 * Adds a filter over table rows, and unfolds all sections for printing. The page is complete without it
 * otherwise.
 */
export const SCRIPT = `
for (const input of document.querySelectorAll("[data-filter]")) {
  const line = input.closest(".filter");
  const rows = [...document.querySelectorAll("#" + input.dataset.filter + " tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  line.hidden = false;
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      if (!row.hidden) shown++;
    });
    line.querySelector("output").textContent = words.length > 0 ? shown + " of " + rows.length : "";
  });
}
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
`;
