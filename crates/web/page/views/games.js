export function show(root) {
  root.textContent = "games";
}
