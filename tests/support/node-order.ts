/** An order paid through a real node. Compares the shop's data with the node's. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { paymentStatuses } from '#src/shop/orders/kinds.ts';
import type { PaymentStatus } from '#src/shop/orders/kinds.ts';
import { paymentStates } from '#src/shop/payments/ledger/payment-state.ts';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import { toSats } from './merchant.ts';
import { getExpectedTask, getExpectedMessages, formatBtc } from './expected-messages.ts';
import type { Facts, ExpectedMessages } from './expected-messages.ts';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import type { ApiResponse } from './api-client.ts';
import { waitUntil } from './wait-until.ts';

export interface SeenOrder {
  readonly status: PaymentStatus;
  readonly state: PaymentState;
  readonly due: Sats;
  readonly received: Sats;
  /** Its loss; null for none. */
  readonly loss: string | null;
  readonly missing: Sats;
  readonly confirmations: number;
  readonly required: number;
}

/** Expected content of the screen at a step. */
export interface Expected extends ExpectedMessages {
  readonly state: string;
  readonly status: string;
  readonly address: string;
  readonly received: string | null;
  /** The requested amount; null for none. */
  readonly missing: string | null;
  /** The expected staff task; null for none. */
  readonly needs: string | null;
}

/** Called at every step of every order. */
export interface StepObserver {
  observeStep(order: NodeOrder, expected: Expected): Promise<void>;
}

interface World {
  readonly observer: StepObserver | null;
  syncChain(): Promise<void>;
  api(method: 'GET' | 'POST' | 'PUT', path: string, token: string, body?: unknown): Promise<ApiResponse>;
  readBalance(address: string): Promise<Sats>;
  /** The staff task of an order; null for none. */
  findStaffTask(orderId: string): Promise<string | null>;
}

export interface ShowsOptions {
  /** States that it may pass through on its way. */
  readonly via?: readonly PaymentState[];
  /** Received amount that refunds have spent. */
  readonly spent?: Sats;
  /** The refunded part of a surplus. */
  readonly returned?: Sats;
  /** The reason of the staff task, where the state alone does not show it. */
  readonly needs?: string | null;
  /** Whether the shop must detect the change without a triggered pass. */
  readonly unasked?: boolean;
}

/** States that a payment may pass through while several blocks arrive. */
const ON_THE_WAY: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  awaiting: [],
  seen: [],
  confirming: [],
  underpaid: [],
  paid: ['seen', 'confirming'],
  overpaid: ['seen', 'confirming', 'paid'],
  late: [],
  expired: [],
  replaced: [],
  dropped: [],
  reorged_out: [],
  refunding: [],
  refunded: [],
  written_off: [],
};

/** Whether the order expects a payment. */
const isRequested = ({ status, missing }: SeenOrder): boolean =>
  (status === 'pending' || status === 'user_paid') && missing > 0n;

/** States in which the buyer must not send anything: a payment may return or is being refunded. */
const ON_HOLD: Readonly<Record<PaymentState, boolean>> = {
  awaiting: false,
  seen: false,
  confirming: false,
  underpaid: false,
  paid: false,
  overpaid: false,
  late: false,
  expired: false,
  replaced: false,
  dropped: false,
  reorged_out: true,
  refunding: true,
  refunded: true,
  written_off: false,
};

function requireKnown<Known extends string>(known: readonly Known[], text: string): Known {
  return known.find((value) => value === text) ?? assert.fail(`unknown value ${text}`);
}

function createFacts(
  { state, status, loss, due, received, missing, confirmations, required }: SeenOrder,
  returned: Sats,
): Facts {
  const over = received - due - returned;
  return {
    state,
    status,
    loss,
    confirmations,
    required,
    received: received > 0n ? formatBtc(received) : null,
    missing: missing > 0n ? formatBtc(missing) : null,
    surplus: over > 0n ? formatBtc(over) : null,
    returned: returned > 0n ? formatBtc(returned) : null,
  };
}

export class NodeOrder {
  readonly id: string;
  readonly address: string;
  readonly buyer: { readonly name: string; readonly token: string };
  readonly #nodeShop: World;
  #last: PaymentState = 'awaiting';

  constructor(nodeShop: World, buyer: { name: string; token: string }, made: unknown) {
    this.#nodeShop = nodeShop;
    this.buyer = buyer;
    this.id = textAt(made, 'order', 'id');
    this.address = textAt(made, 'order', 'payment', 'address');
  }

  /** A call of the buyer, below `/orders/{id}`. */
  async call(method: 'GET' | 'POST' | 'PUT', path = '', body?: unknown): Promise<ApiResponse> {
    return this.#nodeShop.api(method, `/orders/${this.id}${path}`, this.buyer.token, body);
  }

  async readOrder(): Promise<SeenOrder> {
    const { body } = await this.call('GET');
    const uri = valueAt(body, 'order', 'payment', 'bip21');
    const loss = valueAt(body, 'order', 'payment', 'loss');
    const amount = typeof uri === 'string' ? new URL(uri).searchParams.get('amount') : null;
    return {
      status: requireKnown(paymentStatuses, textAt(body, 'order', 'payment_status')),
      state: requireKnown(paymentStates, textAt(body, 'order', 'payment', 'state')),
      loss: typeof loss === 'string' ? loss : null,
      due: toSats(numberAt(body, 'order', 'payment', 'amount_btc')),
      received: toSats(numberAt(body, 'order', 'payment', 'received_btc')),
      missing: toSats(Number(amount ?? 0)),
      confirmations: numberAt(body, 'order', 'payment', 'confirmations'),
      required: numberAt(body, 'order', 'payment', 'required_confirmations'),
    };
  }

  /** The missing amount. */
  async missing(): Promise<Sats> {
    const { due, received } = await this.readOrder();
    const rest = sats(due - received);
    assert.ok(rest > 0n, 'nothing is missing');
    return rest;
  }

  /** Kinds of the order events, oldest first. */
  async listEvents(): Promise<readonly string[]> {
    const { body } = await this.call('GET', '/timeline');
    return listAt(body, 'timeline').map((turn) => textAt(turn, 'kind'));
  }

  /**
   * Waits until the shop shows this state and payment status, with exactly the node's satoshis.
   * Any other state than the previous one is an error.
   */
  async waitForState(state: PaymentState, status: PaymentStatus, options: ShowsOptions = {}): Promise<void> {
    const { via = [], spent = sats(0n), returned = sats(0n), unasked = false } = options;
    const allowed = new Set([this.#last, state, ...via, ...ON_THE_WAY[state]]);
    if (!unasked) await this.#nodeShop.syncChain();
    let [seen, held] = [await this.readOrder(), sats(0n)];
    const holds = async (): Promise<boolean> => {
      [seen, held] = [await this.readOrder(), sats((await this.#nodeShop.readBalance(this.address)) + spent)];
      assert.ok(allowed.has(seen.state), `wrong state: ${seen.state} on the way from ${this.#last} to ${state}`);
      return seen.state === state && seen.status === status && seen.received === held;
    };
    await waitUntil(holds).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('wrong state')) throw error;
      const found = `${seen.state}, ${seen.status}, ${seen.received} sats`;
      assert.fail(`it shows ${found}, expected ${state}, ${status}, ${held} sats`);
    });
    this.#last = state;
    // A closed order requests no payment.
    const isAsking = status === 'pending' || status === 'user_paid';
    const isOver = !isAsking || ON_HOLD[state] || held >= seen.due;
    assert.equal(seen.missing, isOver ? 0n : seen.due - held, 'missing amount');
    const facts = createFacts(seen, returned);
    const needs = options.needs === undefined ? getExpectedTask(facts) : options.needs;
    assert.equal(await this.#nodeShop.findStaffTask(this.id), needs, 'the staff task');
    await this.#nodeShop.observer?.observeStep(this, {
      ...facts,
      ...getExpectedMessages(facts),
      address: this.address,
      missing: isRequested(seen) ? facts.missing : null,
      needs,
    });
  }
}
