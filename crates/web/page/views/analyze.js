export function show(root) {
  root.textContent = "analyze";
}
