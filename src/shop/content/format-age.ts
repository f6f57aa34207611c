const [MINUTE_S, HOUR_S] = [60, 3600];

/** How long ago something was: `12 s ago`, `3 min ago`, `2 h ago`. A moment in the future counts as now. */
export function formatAge(seconds: number): string {
  const passed = Math.max(0, Math.floor(seconds));
  if (passed < MINUTE_S) return `${passed} s ago`;
  return passed < HOUR_S ? `${Math.floor(passed / MINUTE_S)} min ago` : `${Math.floor(passed / HOUR_S)} h ago`;
}
