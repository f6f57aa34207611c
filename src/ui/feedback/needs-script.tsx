/** Hint beside a button that needs a script; shown only without one. */
export function NeedsScript() {
  return (
    <noscript>
      {/* React renders no children of `noscript` in a browser. */}
      {import.meta.env.SSR && <p className="muted small">This needs JavaScript, which is off in your browser.</p>}
    </noscript>
  );
}
