/** Payment windows that staff choose from, with their length in seconds. */
export const MANUAL_WINDOW_SECONDS = { '2h': 7_200, '24h': 86_400, '3d': 259_200 } as const;
export type ManualWindow = keyof typeof MANUAL_WINDOW_SECONDS;
export const manualWindows = ['2h', '24h', '3d'] as const satisfies readonly ManualWindow[];

/** As the screen names them. */
export const MANUAL_WINDOW_NAMES: Readonly<Record<ManualWindow, string>> = {
  '2h': '2 hours',
  '24h': '24 hours',
  '3d': '3 days',
};
