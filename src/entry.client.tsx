import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { logError } from './ui/log-error.ts';
import { startSession } from './storefront/session/session.ts';
import { startRouter } from './platform/pages/browser/start-router.tsx';

startSession();

// To begin right after the scripts were evaluated would make one long task of both.
await new Promise((done) => setTimeout(done));

// While developing, React Router's own knows how to replace what was changed.
const shop = import.meta.env.DEV ? <HydratedRouter /> : await startRouter();

startTransition(() => {
  hydrateRoot(document, <StrictMode>{shop}</StrictMode>, {
    onRecoverableError: (error) => logError('the page was rendered anew', error),
  });
});
