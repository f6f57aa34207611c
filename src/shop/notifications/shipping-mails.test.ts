import assert from 'node:assert/strict';
import { test } from 'node:test';
import { order, orderMailInput, parcel } from '../../../tests/support/order-fixture.ts';
import { writePartlyShipped, writeShipmentUndone, writeShipped, writeTrackingCorrected } from './shipping-mails.ts';

const input = { ...orderMailInput, order: { ...order, payment_status: 'paid' } as const };
const write = (contents: object | null): string => JSON.stringify(contents);

test('[OPS-13] a mail about corrected tracking details has the present ones', () => {
  const text = write(writeTrackingCorrected({ ...input, shipment: parcel, trackingReference: 'AB1' }));
  for (const part of ['corrected the tracking details', 'AB1', 'https://carrier.example/AB1', '2 × iPhone 17']) {
    assert.ok(text.includes(part), `${part} is not in ${text}`);
  }
  assert.match(
    write(writeTrackingCorrected({ ...input, shipment: parcel, trackingReference: null })),
    /has no tracking/,
  );
});

test('[OPS-13] sends no mail that is not true after a parcel was undone', () => {
  const undone = { ...input, shipment: null, isShipmentUndone: true };
  assert.equal(writeTrackingCorrected(undone), null);
  assert.equal(writeShipped(undone), null);
  assert.equal(writePartlyShipped(undone), null);
  assert.match(write(writeShipmentUndone(undone)), /not on its way.*We write to you when we ship it/);
  const refunded = { ...undone, order: { ...order, payment_status: 'refunded' } as const };
  assert.doesNotMatch(write(writeShipmentUndone(refunded)), /when we ship it/);
});

test('[OPS-29] the mails about a parcel have the serial numbers of its units', () => {
  const serials = ['490154203237518', '356938035643809'].map((number) => ({ number, is_returned: false }));
  const items = [{ position: 0, name: 'iPhone 17', quantity: 2, serials }];
  for (const writeMail of [writeShipped, writePartlyShipped, writeTrackingCorrected]) {
    assert.match(
      write(writeMail({ ...input, shipment: { ...parcel, items } })),
      /Serial numbers","value":"iPhone 17: 490154203237518, 356938035643809"/,
    );
    assert.doesNotMatch(write(writeMail({ ...input, shipment: parcel })), /Serial numbers/);
    assert.doesNotMatch(
      write(writeMail({ ...input, username: null, shipment: { ...parcel, items } })),
      /Serial numbers/,
    );
  }
});

test('[OPS-03] [MAIL-02] mails of parcels have reference and address, the first one the lines', () => {
  const data = { ...input, shipment: null, trackingReference: 'DX 1' };
  const shipped = write(writeShipped(data));
  for (const part of ['DX 1', '/dashboard/orders/', 'Ada Lovelace', 'W8 4AA', 'iPhone 17', '$2,598.00']) {
    assert.ok(shipped.includes(part), `${part} is not in ${shipped}`);
  }
  assert.match(write(writePartlyShipped(data)), /W8 4AA/);
  // Whoever reads the mails of an unconfirmed address may be a stranger.
  for (const mail of [writeShipped, writePartlyShipped]) {
    assert.doesNotMatch(write(mail({ ...data, username: null })), /Lovelace|W8 4AA/);
  }
});
