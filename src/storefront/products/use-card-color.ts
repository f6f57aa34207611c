import { useEffect, useRef, useState } from 'react';
import { logError } from '#src/ui/browser/log-error.ts';
import type { CardProduct } from './card-product.ts';

interface ColorCards {
  readonly of: CardProduct;
  /** By SKU; null if they could not be loaded. */
  readonly cards: ReadonlyMap<string, CardProduct> | null;
}

async function load(product: CardProduct): Promise<ColorCards> {
  try {
    const { loadColorCards } = await import('./load-color-cards.ts');
    return { of: product, cards: await loadColorCards(product) };
  } catch (error) {
    logError('the colours of a card were not loaded', error);
    return { of: product, cards: null };
  }
}

/** What a card shows once a colour of it is chosen. The cards of its colours are loaded then. */
export function useCardColor(product: CardProduct) {
  const [chosenSku, setChosenSku] = useState<string | null>(null);
  const [previewedSku, preview] = useState<string | null>(null);
  const [loaded, setLoaded] = useState<ColorCards | null>(null);
  const chosen = previewedSku ?? chosenSku;
  const requested = useRef<CardProduct | null>(null);
  useEffect(() => {
    if (chosen === null || requested.current === product) return;
    requested.current = product;
    const show = async () => setLoaded(await load(product));
    void show();
  }, [chosen, product]);
  const cards = loaded?.of === product ? loaded.cards : undefined;
  return {
    /** The product, or the variant of the chosen colour. */
    shown: cards?.get(chosen ?? '') ?? product,
    /** SKU of the chosen or previewed colour; null: none. */
    chosen,
    /** The colours are links only. */
    hasFailed: cards === null,
    choose: (sku: string) => {
      setChosenSku(sku);
      preview(null);
    },
    /** Null ends the preview. */
    preview,
  };
}
