/** Notices about the bitcoin rate. Read by the root loader, so they are not in the browser's scripts. */
export const RATE_NOTICES = {
  current: '',
  delayed: 'Exchange rates are delayed. Until they return, bitcoin prices use the last rate plus 1 %.',
  none: 'No bitcoin rate is available, so prices are in US dollars. Your cart is saved. You can order when the rate is back.',
} as const;
