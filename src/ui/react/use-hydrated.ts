import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => {};

/** Whether the page is hydrated; false on the server. Before that, a form without an action does not work. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
