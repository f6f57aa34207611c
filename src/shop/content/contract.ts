import { z } from 'zod';
import { id } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

export const faqItem = z.object({ id, question: z.string(), answer: z.string() });
export type FaqItem = z.input<typeof faqItem>;

export const contentApi = {
  'GET /faq': { summary: 'Lists frequently asked questions with their answers', response: z.array(faqItem) },
} as const satisfies Contract;
