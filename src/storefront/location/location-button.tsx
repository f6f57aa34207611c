import { lazy, Suspense, useState } from 'react';
import { useDeliveryPlace } from './delivery-place.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import styles from './location-button.module.css';
import { useShop } from '../shop-identity.ts';

// Fetched on demand, with its list of countries.
const LocationDialog = lazy(async () => ({ default: (await import('./location-dialog.tsx')).LocationDialog }));

/** Shows the delivery place, or else the shop's address, and opens the dialog to choose one. */
export function LocationButton() {
  const place = useDeliveryPlace();
  const { address } = useShop();
  const [isAsked, setIsAsked] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const open = () => {
    setIsAsked(true);
    setIsOpen(true);
  };
  return (
    <>
      <button type="button" className={styles.button} aria-haspopup="dialog" onClick={open}>
        <Icon name="pin" size={14} />
        <span translate={place === null && address ? 'no' : undefined}>
          {place?.name ?? (address || 'Delivery country')}
        </span>
      </button>
      {isAsked && (
        <Suspense>
          <LocationDialog key={place?.country} isOpen={isOpen} place={place} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
