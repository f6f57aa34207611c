import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether the page's script has taken over; false on the server. Until then a form would be sent to nowhere. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
