/**
 * What is served first when there is more to do than can be done: `critical` is what completes a purchase, `browsing` is
 * what is shed first, `normal` is all else.
 */
export type Priority = 'critical' | 'normal' | 'browsing';

export const BY_PRIORITY: readonly Priority[] = ['critical', 'normal', 'browsing'];
