export function show(root) {
  root.textContent = "learn";
}
