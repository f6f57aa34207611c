import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillPlaceholders } from '#src/shop/content/placeholders.ts';
import { createTestDatabase } from './support/database.ts';
import { FIGURES, openContent } from './support/open-content.ts';
import { faq, seedFaq } from '../db/seed/faq.ts';
import { staffActor } from './support/staff-actor.ts';

test('[API-02] [API-13] lists at least eight questions in order', async () => {
  const { db } = await createTestDatabase();
  await seedFaq(db);
  await seedFaq(db);
  const items = (await openContent(db)).content.listFaq();
  assert.ok(items.length >= 8);
  assert.deepEqual(
    items.map(({ question, answer }) => ({ question, answer })),
    faq.map(({ question, answer }) => ({ question, answer: fillPlaceholders(answer, FIGURES.values) })),
  );
  for (const item of items) assert.deepEqual(Object.keys(item), ['id', 'question', 'answer']);
  const answers = items.map(({ answer }) => answer).join(' ');
  assert.ok(!/[{}]/.test(answers));
  assert.match(answers, /within two hours, or within 15 minutes if/);
  assert.match(
    answers,
    /One confirmation is enough below \$500, two from \$500, three from \$5,000 and six from \$25,000\./,
  );
});

test('[OPS-07] the demo’s questions do not return after staff deleted them', async () => {
  const { db } = await createTestDatabase();
  await seedFaq(db);
  const { content, faqEditor } = await openContent(db);
  for (const { id, version } of (await faqEditor.list()).items) {
    assert.equal(await faqEditor.delete(id, version, staffActor), null);
  }
  await seedFaq(db);
  await content.refresh();
  assert.deepEqual(content.listFaq(), []);
});
