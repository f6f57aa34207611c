/**
 * Order of service during an overload. `critical`: completes a purchase. `browsing`: is shed first.
 */
export type Priority = 'critical' | 'normal' | 'browsing';

export const BY_PRIORITY: readonly Priority[] = ['critical', 'normal', 'browsing'];
