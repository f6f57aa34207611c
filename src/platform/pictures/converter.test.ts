import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../tests/support/database.ts';
import { makePicture } from '../../../tests/support/hostile-pictures.ts';
import { PictureConverter } from './converter.ts';
import { formatPrivateName, listPrivateNames, readHash, readPrivateId } from './picture-files.ts';

test('[RET-05] a picture of staff is converted before those of customers that wait', async () => {
  const converter = new PictureConverter(silentLog);
  const ended: string[] = [];
  const bytes = await makePicture('png');
  const convert = async (id: string, isCustomer: boolean): Promise<string> => {
    const result = await converter.convert(bytes, 'private', { id, isCustomer });
    ended.push(id);
    return result.ok ? 'converted' : result.reason;
  };
  const customers = Array.from({ length: 20 }, (_, index) => convert(`customer ${index}`, true));
  const ofStaff = convert('staff', false);
  assert.equal(await ofStaff, 'converted');
  const results = await Promise.all(customers);
  // One ran, and eight waited, of which staff took one place. Customers that were dropped end at once.
  assert.equal(results.filter((result) => result === 'busy').length, 12);
  const converted = ended.filter((id) => id === 'staff' || results[Number(id.split(' ')[1])] === 'converted');
  assert.ok(converted.indexOf('staff') <= 1, converted.join());
});

test('[RET-05] no name of a private file is one of a public picture', () => {
  const id = '0b6f5a8e-4c1d-4a57-9d57-0f7c8c1f3b21';
  assert.equal(formatPrivateName(id, 'small'), `private-${id}-320.jpg`);
  for (const name of listPrivateNames(id)) {
    assert.equal(readHash(name), null);
    assert.equal(readPrivateId(name), id);
  }
  for (const name of [`${'a'.repeat(40)}.avif`, `private-${id}`, `private-${id}.svg`, 'private-../x.jpg'])
    assert.equal(readPrivateId(name), null, name);
});
