import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { logError } from './ui/browser/log-error.ts';
import { startSession } from './storefront/session/session.ts';
import { startRouter } from './platform/pages/browser/start-router.tsx';

startSession();

// The load of a page that the visitor leaves meanwhile is aborted. If that is between the data and the end of the
// response, React Router's decoder rejects a promise that nobody handles. So does the browser where the page changes
// without its view transition: another one replaces it (AbortError), the page took four seconds (TimeoutError), or it
// cannot be drawn (InvalidStateError).
window.addEventListener('unhandledrejection', (event) => {
  if (/^AbortError|Error: Transition /.test(String(event.reason))) event.preventDefault();
});

// Splits evaluating the scripts and hydrating the page into two tasks.
await new Promise((done) => setTimeout(done));

const shop = import.meta.env.STOCK_PAGES ? <HydratedRouter /> : await startRouter();

startTransition(() => {
  hydrateRoot(document, <StrictMode>{shop}</StrictMode>, {
    onRecoverableError: (error) => logError('hydration failed', error),
  });
});
