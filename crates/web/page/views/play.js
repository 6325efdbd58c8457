export function show(root) {
  root.textContent = "play";
}
