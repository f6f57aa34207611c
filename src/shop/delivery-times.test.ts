import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DELIVERY_TIMES } from './content/delivery-table.ts';
import { getDeliveryPromise } from './delivery-times.ts';

const places = [
  { region: 'Europe', country: 'GB' },
  { region: 'Europe', country: 'DE' },
  { region: 'Asia', country: 'JP' },
];

test('[LAY-01] shows London’s delivery time until a country is chosen', () => {
  assert.equal(getDeliveryPromise(null), 'Delivery today in 24 hours');
});

test('[PAGE-01] shows the delivery time of the country’s area', () => {
  assert.deepEqual(
    places.map(getDeliveryPromise),
    DELIVERY_TIMES.slice(1).map(({ time }) => `Delivery ${time}`),
  );
});
