import { useState } from 'react';
import { listCountries, findCountryName, regionNames } from '#src/shop/regions.ts';
import type { RegionName } from '#src/shop/regions.ts';
import type { DeliveryPlace } from './delivery-place.ts';
import { storeDeliveryPlace } from './delivery-place.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { Select } from '#src/ui/fields/field.tsx';
import styles from './location-dialog.module.css';
import { useShop } from '../shop-identity.ts';

interface LocationDialogProps {
  readonly isOpen: boolean;
  readonly place: DeliveryPlace | null;
  readonly onClose: () => void;
}

const isRegion = (text: string): text is RegionName => regionNames.some((name) => name === text);

export function LocationDialog({ isOpen, place, onClose }: LocationDialogProps) {
  const [region, setRegion] = useState(place?.region ?? '');
  const [country, setCountry] = useState(place?.country ?? '');
  const { address } = useShop();
  const name = findCountryName(country);
  const apply = () => {
    if (name !== undefined) storeDeliveryPlace({ region, country, name });
    onClose();
  };
  const reset = () => {
    setRegion('');
    setCountry('');
    storeDeliveryPlace(null);
    onClose();
  };
  return (
    <Dialog
      title="Location"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={reset}>
            Reset
          </Button>
          <Button onClick={apply} disabled={name === undefined}>
            Apply
          </Button>
        </>
      }
    >
      <div className={styles.content}>
        {address && <p>{address}</p>}
        <p className="muted small">Choose your delivery country. Checkout preselects it.</p>
        <Select
          label="Region"
          value={region}
          onChange={(event) => {
            setRegion(event.currentTarget.value);
            setCountry('');
          }}
        >
          <option value="">Choose a region</option>
          {regionNames.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </Select>
        <Select
          label="Country"
          value={country}
          disabled={!isRegion(region)}
          onChange={(event) => setCountry(event.currentTarget.value)}
        >
          <option value="">{isRegion(region) ? 'Choose a country' : 'Choose a region first'}</option>
          {isRegion(region) &&
            listCountries(region).map((option) => (
              <option key={option.code} value={option.code}>
                {option.name}
              </option>
            ))}
        </Select>
      </div>
    </Dialog>
  );
}
