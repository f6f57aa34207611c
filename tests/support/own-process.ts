/**
 * Imported by a test that cannot share its process with others: it replaces something global, such as the clock, the
 * environment or the window, or awaits at its top level.
 */
export const OWN_PROCESS = 'tests/support/own-process.ts';
