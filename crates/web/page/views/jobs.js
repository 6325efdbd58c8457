export function show(root) {
  root.textContent = "jobs";
}
