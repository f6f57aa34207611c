/** State of the visitor in the browser: user, cart and open order. Loaded when the page starts. */
import type { User } from '#src/shop/accounts/contract.ts';
import type { Cart } from '#src/shop/cart/contract.ts';
import type { Order } from '#src/shop/orders/contract.ts';
import { isApiFailure } from '../api.ts';
import {
  ACCOUNT_KEY,
  BILLING_DRAFT_KEY,
  CART_CHANGING_KEY,
  CART_MARK_KEY,
  CART_CHANGE_TIMEOUT_MS,
  RECENT_KEY,
  readStored,
  storeCartStep,
  storeTimeZone,
  listStored,
  TOKEN_KEY,
  UNSENT_PREFIX,
  writeStored,
} from '#src/ui/browser/browser-storage.ts';
import { call, setTokenRejectedHandler } from '../call.ts';
import { forgetTab } from '#src/ui/browser/tab-storage.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { checkPageAccount, notePageAccount, setPageAccount } from './page-account.ts';
import { createStore } from '#src/ui/react/store.ts';

const RECHECK_DELAY_MS = 1000;

/** An optimistic update of a cart line: sent, not yet confirmed. */
export interface OptimisticCartUpdate {
  readonly productId: string;
  /** Null: all lines of the product. */
  readonly valueIds: readonly string[] | null;
  readonly quantity: number;
  /** An addition is relative; a set quantity replaces earlier updates. */
  readonly isAddition: boolean;
}

export interface SessionState {
  /** Whether a token is stored; set before the user is loaded. */
  readonly isSignedIn: boolean;
  readonly user: User | null;
  /** Null until loaded. */
  readonly cart: Cart | null;
  readonly optimisticUpdates: readonly OptimisticCartUpdate[];
  readonly isCartLoading: boolean;
  readonly hasCartFailed: boolean;
  readonly order: Order | null;
  /** The first load has succeeded or failed. */
  readonly isLoaded: boolean;
}

const SIGNED_OUT = { isSignedIn: false, user: null, cart: null, optimisticUpdates: [], order: null } as const;
export const session = createStore<SessionState>({
  ...SIGNED_OUT,
  isCartLoading: false,
  hasCartFailed: false,
  isLoaded: false,
});
export const useSession = session.use;

/** Called once, when the page starts. */
export function startSession(): void {
  setTokenRejectedHandler((token) => {
    if (readStored(TOKEN_KEY) === token) endSession();
  });
  setPageAccount(readStored(ACCOUNT_KEY) ?? '');
  window.addEventListener('storage', ({ key }) => {
    checkPageAccount();
    if (key === TOKEN_KEY || key === null) void loadSession();
    // Checkout moves the cart into an order, and cancelling may move it back.
    else if (key === CART_MARK_KEY) void (session.get().isSignedIn ? loadCheckout() : loadCart());
  });
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    checkPageAccount();
    void loadSession();
  });
  const wasChanging = Date.now() - Number(readStored(CART_CHANGING_KEY)) < CART_CHANGE_TIMEOUT_MS;
  void loadSession();
  // The previous page sent a change before it was closed: this cart may be older.
  if (wasChanging) setTimeout(() => void loadCart(), RECHECK_DELAY_MS);
}

async function loadSession(): Promise<void> {
  const isSignedIn = readStored(TOKEN_KEY) !== null;
  if (isSignedIn) session.update({ isSignedIn });
  else session.update(SIGNED_OUT);
  storeTimeZone(isSignedIn);
  markDocument();
  await Promise.all(isSignedIn ? [loadUser(), loadCheckout()] : [loadCart()]);
  session.update({ isLoaded: true });
}

/** Reloads the user, for example after a change of the settings. */
const loadUser = (): Promise<void> =>
  runAndLogErrors('the user was not loaded', async () => {
    const user = await loadNewest('user', () => call('GET /users/user'));
    if (!user) return;
    session.update({ user });
    notePageAccount(user.id);
  });

/** Reloads the open order. */
export const loadOrder = (): Promise<void> =>
  runAndLogErrors('the order was not loaded', async () => setOrder(await readOrder()));

/** Reloads the cart; the guest's if the token is invalid. */
export const loadCart = (): Promise<void> =>
  runAndLogErrors('the cart was not loaded', async () => {
    const cart = await readCart();
    if (cart) setCart(cart, { isChanged: false });
  });

/**
 * Reloads open order and cart together, since both must change on the screen at the same time. The cart is read after
 * the order: cancelling returns the lines to the cart, so an earlier cart would lack them and nothing would load it again.
 */
export async function loadCheckout(): Promise<void> {
  const knownLines = session.get().cart?.cart_items.length ?? countMarkedLines();
  const read = { order: await settle(readOrder()), cart: await settle(readCart()) };
  // The other way round: a checkout after the order was read emptied the cart.
  if (knownLines > 0 && hasNeither(read)) read.order = await settle(readOrder());
  await runAndLogErrors('the order was not loaded', () => setOrder(getValue(read.order)));
  await runAndLogErrors('the cart was not loaded', () => {
    const value = getValue(read.cart);
    if (value) setCart(value, { isChanged: false });
  });
}

interface ReadCheckout {
  readonly order: PromiseSettledResult<Order | null | undefined>;
  readonly cart: PromiseSettledResult<Cart | null | undefined>;
}

const hasNeither = ({ order, cart }: ReadCheckout): boolean =>
  order.status === 'fulfilled' &&
  order.value === null &&
  cart.status === 'fulfilled' &&
  cart.value?.cart_items.length === 0;

async function settle<Value>(promise: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  const [settled] = await Promise.allSettled([promise]);
  return settled;
}

function getValue<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

const readOrder = () => loadNewest('order', async () => (await call('GET /orders')).order);

const readCart = () => loadNewest('cart', () => call('GET /cart'));

/** Skips notifications without a change, so requests in progress are not repeated. */
function setOrder(order: Order | null | undefined): void {
  if (order !== undefined && JSON.stringify(order) !== JSON.stringify(session.get().order)) session.update({ order });
}

let lastChange: Promise<unknown> = Promise.resolve();

/** Runs a cart change after all earlier ones. */
export function serialize<Result>(change: () => Promise<Result>): Promise<Result> {
  const done = lastChange.then(change);
  lastChange = done.catch(() => {});
  return done;
}

/**
 * Requests a part of the state. If that part changed during the request, or another account signed in, the response may
 * be outdated, and it is requested again.
 * @returns undefined if the account has signed out
 */
async function loadNewest<Part extends 'user' | 'cart' | 'order'>(
  part: Part,
  request: () => Promise<SessionState[Part]>,
): Promise<SessionState[Part] | undefined> {
  for (;;) {
    if (part === 'cart') await lastChange;
    const token = readStored(TOKEN_KEY);
    const before = session.get()[part];
    const isOver = (): boolean => readStored(TOKEN_KEY) !== token;
    try {
      const response = await request();
      if (!isOver() && session.get()[part] === before) return response;
    } catch (error) {
      // The invalid token was removed by now; the guest cart needs none.
      if (!isOver() || part !== 'cart') throw error;
    }
    if (isOver() && part !== 'cart' && readStored(TOKEN_KEY) === null) return undefined;
  }
}

async function runAndLogErrors(message: string, load: () => Promise<void> | void): Promise<void> {
  try {
    await load();
  } catch (error) {
    if (!(isApiFailure(error) && error.status === 401)) logError(message, error);
  }
}

/** Lines of the cart when any tab last stored it. */
const countMarkedLines = (): number => Number.parseInt(readStored(CART_MARK_KEY) ?? '0', 10);

/** Stores a cart from a response and notifies other tabs if it changed. */
export function setCart(cart: Cart, { isChanged }: { isChanged: boolean }): void {
  session.update({ cart });
  const lines = cart.cart_items.length;
  if (isChanged || countMarkedLines() !== lines) {
    writeStored(CART_MARK_KEY, `${lines}@${Date.now()}`);
  }
  markDocument();
}

type LoginResponse = Awaited<ReturnType<typeof call<'POST /users/login'>>>;

/** Signs in and loads the user's data. Throws an ApiFailure. */
export async function signIn(username: string, password: string): Promise<{ user: User; isCartPreserved: boolean }> {
  return keepSignedIn(await call('POST /users/login', { body: { username, password } }));
}

/** Stores the session of a login and loads the user's data. */
export async function keepSignedIn({
  user,
  tokens,
  cart_preserved,
}: LoginResponse): Promise<{ user: User; isCartPreserved: boolean }> {
  setPageAccount(user.id);
  if (readStored(ACCOUNT_KEY) !== user.id) forgetTyped();
  writeStored(ACCOUNT_KEY, user.id);
  writeStored(TOKEN_KEY, tokens.accessToken);
  session.update({ isSignedIn: true, user });
  storeTimeZone(true);
  markDocument();
  await loadCheckout();
  return { user, isCartPreserved: cart_preserved };
}

/** Signs out in this browser even if the server cannot be reached; the page then goes to /login. */
export async function signOut(): Promise<void> {
  await call('POST /users/logout').catch((error: unknown) => logError('the logout request failed', error));
  forgetTyped();
  endSession();
  setPageAccount('');
  writeStored(ACCOUNT_KEY, null);
  forgetTab();
  void loadCart();
}

const forgetCallbacks = new Set<() => void>();
/** Calls the function when what the visitor typed is removed from this browser. */
export const onForgetTyped = (callback: () => void): void => void forgetCallbacks.add(callback);

/** Removes what an account typed: it logs out, or another one logs in. */
function forgetTyped(): void {
  writeStored(BILLING_DRAFT_KEY, null);
  for (const [key] of listStored(UNSENT_PREFIX)) writeStored(key, null);
  for (const callback of forgetCallbacks) callback();
}

/** Removes the session. What its account typed stays for when it logs in again: a session may end without a logout. */
function endSession(): void {
  for (const key of [TOKEN_KEY, CART_MARK_KEY, RECENT_KEY]) writeStored(key, null);
  storeCartStep(null);
  storeTimeZone(false);
  session.update(SIGNED_OUT);
  markDocument();
}

/** The attributes that the head script sets before the first paint. */
function markDocument(): void {
  const { isSignedIn, cart } = session.get();
  const lines = cart?.cart_items.length ?? countMarkedLines();
  document.documentElement.toggleAttribute('data-auth', isSignedIn);
  document.documentElement.toggleAttribute('data-cart', lines > 0);
  document.documentElement.toggleAttribute('data-recent', readStored(RECENT_KEY) !== null);
}
