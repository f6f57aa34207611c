import { addToCart } from '#src/storefront/cart/cart.ts';
import { createStore } from '#src/ui/react/store.ts';
import type { CartItem } from '../contract.ts';

/** How long Undo is offered. */
const UNDO_MS = 8000;

export interface RemovedLine {
  readonly id: number;
  readonly productId: string;
  readonly valueIds: readonly string[];
  readonly name: string;
  readonly quantity: number;
}

const removed = createStore<{ readonly lines: readonly RemovedLine[] }>({ lines: [] });
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let lastId = 0;

/** Lines with an Undo offer, oldest first. */
export const useRemovedLines = (): readonly RemovedLine[] => removed.use(({ lines }) => lines);

/** Offers Undo for a removed line, replacing an earlier offer for it. */
export function offerUndo(item: CartItem, quantity: number): void {
  const { product_id: productId, property_value_ids: valueIds, product } = item;
  const isSame = (line: RemovedLine): boolean =>
    line.productId === productId && line.valueIds.join() === valueIds.join();
  for (const line of removed.get().lines.filter(isSame)) endOffer(line);
  const line = { id: (lastId += 1), productId, valueIds, name: product.name, quantity };
  removed.update({ lines: [...removed.get().lines, line] });
  startTimer(line);
}

/** Ends the offer after 8 seconds. */
export function startTimer(line: RemovedLine): void {
  stopTimer(line);
  if (removed.get().lines.includes(line)) timers.set(line.id, setTimeout(endOffer, UNDO_MS, line));
}

/** Keeps the offer while it is hovered or focused. */
export function stopTimer({ id }: RemovedLine): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

function endOffer(line: RemovedLine): void {
  stopTimer(line);
  removed.update({ lines: removed.get().lines.filter((other) => other !== line) });
}

/** Restores a line with its quantity. Does nothing if the offer has ended. */
export function undoRemoval(line: RemovedLine): void {
  if (!removed.get().lines.includes(line)) return;
  endOffer(line);
  void addToCart(line.productId, line.valueIds, line.quantity);
}
