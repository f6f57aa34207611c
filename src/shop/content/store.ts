import type { Db } from '#src/platform/database/database.ts';

type Tables = Record<'faq_items', { id: string; question: string; answer: string; position: number }>;

export interface FaqRow {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

export function loadFaq(db: Db): Promise<readonly FaqRow[]> {
  return db
    .$extendTables<Tables>()
    .selectFrom('faq_items')
    .select(['id', 'question', 'answer'])
    .orderBy('position')
    .orderBy('id')
    .execute();
}
