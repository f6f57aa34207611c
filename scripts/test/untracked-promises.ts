/**
 * Loaded before the tests of a process. Node's test runner follows every promise to the test that created it, only to
 * name the test of an uncaught error: an `await` costs eighteen times as much (docs/decisions/0118-promises-of-tests.md).
 * Without it, such an error fails the process of the test files instead of one test.
 */
import asyncHooks from 'node:async_hooks';

const { createHook } = asyncHooks;
asyncHooks.createHook = (options) => createHook({ ...options, trackPromises: false });
