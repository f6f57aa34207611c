import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Content } from '#src/shop/content/service.ts';
import { createTestDatabase } from './support/database.ts';
import { faq, seedFaq } from '../db/seed/faq.ts';

test('[API-02] [API-13] lists at least eight questions in order', async () => {
  const { db } = await createTestDatabase();
  await seedFaq(db);
  await seedFaq(db);
  const items = (await Content.open(db)).listFaq();
  assert.ok(items.length >= 8);
  assert.deepEqual(
    items.map(({ question, answer }) => ({ question, answer })),
    faq,
  );
  for (const item of items) assert.deepEqual(Object.keys(item), ['id', 'question', 'answer']);
});
