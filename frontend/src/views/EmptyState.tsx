const CODE = `from tb_nanwatch import NanWatch

model.fit(x, y, callbacks=[NanWatch("logs/run1")])`;

/** What to do while there is nothing to see. */
export function EmptyState() {
  return (
    <main class="panel empty" data-testid="empty">
      <h2>Nothing recorded yet</h2>
      <p>No run in this log directory holds data of NaNWatch. Two lines record it:</p>
      <pre>{CODE}</pre>
      <p class="muted">Runs appear here as soon as TensorBoard has read their first steps.</p>
    </main>
  );
}
