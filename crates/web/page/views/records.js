export function show(root) {
  root.textContent = "records";
}
