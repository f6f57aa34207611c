/** An order as staff see it: with its buyer, ledger, task, timeline, tickets and neighbours. */
import type { z } from 'zod';
import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import { formatPath } from '#src/platform/bitcoin/descriptor.ts';
import { scriptRules } from '#src/platform/bitcoin/wallet-script.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import { mayAct } from '#src/shop/permissions.ts';
import { cents, NO_SATS } from '#src/shop/money.ts';
import { decideAcceptAsPaid } from '#src/shop/orders/status/decide-accept-as-paid.ts';
import {
  computeDueAtRate,
  evaluateOrder,
  findCancelProblem,
  sumFinalForOrder,
} from '#src/shop/orders/status/evaluate-order.ts';
import { findStaffCancelProblem } from '#src/shop/orders/status/find-staff-cancel-problem.ts';
import { computeLostSats, findCloseAsLossProblem, isRequotable } from '#src/shop/orders/status/order-loss.ts';
import type { OrderTimeline } from '#src/shop/orders/timeline/service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import type { TicketDesk } from '#src/shop/support/tickets/desk.service.ts';
import type { StaffTasks } from '../tasks/service.ts';
import { isInformational } from '../tasks/staff-task.ts';
import type { staffOrderApi } from './contract.ts';
import { showEvents, showOutputs } from './show-history.ts';
import * as store from './store.ts';

type ShownOrder = z.output<(typeof staffOrderApi)['GET /support/orders/{id}']['response']>;

export interface StaffOrdersOptions {
  readonly db: Db;
  readonly payments: Pick<Payments, 'findIssuedAddress'>;
  readonly timeline: Pick<OrderTimeline, 'readForMail'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly staffTasks: Pick<StaffTasks, 'readWithTasks' | 'getPresentRate'>;
  readonly ticketDesk: Pick<TicketDesk, 'listOfCustomer'>;
  readonly shopSettings: Pick<ShopSettings, 'formatOrderNumber'>;
  /** Account of the shop's wallet. */
  readonly wallet: AccountKey;
}

const MAX_TICKETS = 5;

interface Viewer {
  readonly role: string;
  /** Set for an API key. */
  readonly apiKey?: object;
}

/** An API key that reads orders reads no tickets. */
const maySeeTickets = (viewer: Viewer): boolean => viewer.apiKey === undefined && mayAct(viewer, 'support');

export class StaffOrders {
  readonly #options: StaffOrdersOptions;

  constructor(options: StaffOrdersOptions) {
    this.#options = options;
  }

  /** An order of any user; null if it does not exist. */
  async find(id: string, viewer: Viewer): Promise<ShownOrder | null> {
    const { accounts, db, payments, staffTasks, ticketDesk, timeline } = this.#options;
    const presentRate = staffTasks.getPresentRate();
    const [found, [watched], events, address, createdBy, neighbours] = await Promise.all([
      timeline.readForMail(id),
      staffTasks.readWithTasks(db, [id], presentRate),
      store.listEvents(db, id),
      payments.findIssuedAddress(id),
      store.findCreator(db, id),
      store.findNeighbours(db, id),
    ]);
    if (!found || !watched || !address) return null;
    const { row, ledger, attention } = watched;
    const [contact, email, tickets] = await Promise.all([
      accounts.findContact(found.userId),
      store.findCustomerEmail(db, found.userId),
      maySeeTickets(viewer) ? ticketDesk.listOfCustomer(found.userId, MAX_TICKETS) : [],
    ]);
    const { missingSats, surplusSats, receivedSats } = evaluateOrder(row, ledger);
    const finalSats = sumFinalForOrder(row, ledger);
    const settling = decideAcceptAsPaid(row, { receivedSats, finalSats });
    return {
      order: found.order,
      buyer: { id: found.userId, username: contact?.username ?? row.username, email },
      attention: attention && { ...attention, is_information: isInformational(attention.kind) },
      due_btc: row.due_sats,
      missing_btc: missingSats,
      deep_btc: finalSats,
      surplus_btc: surplusSats,
      returned_btc: found.order.payment.returned_btc,
      present_btc: presentRate && computeDueAtRate(row, presentRate),
      settling: settling.ok
        ? { amount_btc: settling.acceptedSats, refusal: null }
        : { amount_btc: null, refusal: settling.reason },
      can_be_given_up: findStaffCancelProblem(row, ledger) === null,
      can_be_closed_as_loss: row.closed_as_loss_of === null && findCloseAsLossProblem(row, ledger) === null,
      lost_btc: row.recorded_loss === null && row.closed_as_loss_of === null ? NO_SATS : computeLostSats(row, ledger),
      settled_btc: row.settled_sats,
      rate_usd: cents(found.rate),
      tracking_reference: found.trackingReference,
      created_by: createdBy,
      pay_path: found.payPath,
      can_be_renewed: isRequotable(row, ledger),
      can_be_cancelled: row.payment_status !== 'cancelled' && findCancelProblem(row, ledger) === null,
      address: { address: address.address, derivation_index: address.index, path: this.#getDerivationPath(address) },
      ...showOutputs(ledger, row.required_confirmations),
      timeline: showEvents(events),
      tickets,
      newer: this.#showNeighbour(neighbours.newer),
      older: this.#showNeighbour(neighbours.older),
    };
  }

  #showNeighbour(neighbour: store.Neighbour | null) {
    return neighbour && { id: neighbour.id, number: this.#options.shopSettings.formatOrderNumber(neighbour.number) };
  }

  /** Derivation path of an address. An account without origin counts as the first of its kind. */
  #getDerivationPath({ account, index }: { readonly account: string; readonly index: number }): string | null {
    const { wallet } = this.#options;
    if (account !== wallet.account) return null;
    const coin = wallet.network.name === 'mainnet' ? 0 : 1;
    const { purpose } = scriptRules[wallet.script];
    const steps = wallet.origin === null ? `/${purpose}h/${coin}h/0h` : formatPath(wallet.origin.path);
    return `m${steps}/0/${index}`;
  }
}
