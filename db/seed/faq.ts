import { sql } from 'kysely';
import { v7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';

export const faq: readonly { readonly question: string; readonly answer: string }[] = [
  {
    question: 'How do I pay with Bitcoin?',
    answer:
      'Go to checkout, enter where we should deliver, and we show you an amount and a Bitcoin address that belongs to your order alone, as a QR code and as text. Send exactly that amount from any wallet or exchange within two hours, or within 15 minutes if an item is almost sold out. The page notices the payment by itself, usually within seconds.',
  },
  {
    question: 'When is my order paid?',
    answer:
      'As soon as the network has confirmed your payment. Below $500 one confirmation is enough; from $500 it takes two, from $5,000 three and from $25,000 six. Each takes about ten minutes on average. The order page counts along, and you may close it in the meantime.',
  },
  {
    question: 'What if I send too little?',
    answer:
      'Nothing is lost. The order page shows what is missing, with a QR code for just that amount. Send the rest before the time is over and both payments count together. This happens most often when an exchange takes its fee out of the amount that it sends.',
  },
  {
    question: 'What if I send too much or too late?',
    answer:
      'If you send too much, the order is paid and we return the surplus to an address of yours. If the payment arrives after the two hours, we accept it by itself as long as the price of Bitcoin has hardly moved; otherwise we write to you and you choose between a new quote and your money back.',
  },
  {
    question: 'Why does the price in BTC change?',
    answer:
      'Our prices are set in US dollars, and the price in Bitcoin follows the market. At checkout the rate is fixed for two hours, or for 15 minutes if an item is almost sold out: what the order page shows is what you pay.',
  },
  {
    question: 'How long does delivery take?',
    answer:
      'In London we deliver today in 24 hours, once your payment is confirmed. Parcels take 1–2 business days after dispatch to the rest of the United Kingdom, 2–4 to Europe and 4–8 to other continents. Shipping is free and insured, and you get a tracking link.',
  },
  {
    question: 'Can I return a device?',
    answer:
      'Yes, within 14 days of delivery, complete and in the condition in which you would want to buy it. Open a ticket in your profile and we send you a label. We refund the price in US dollars that you paid, in Bitcoin at the rate of the day on which we receive the device.',
  },
  {
    question: 'Do I need an account to fill a cart?',
    answer:
      'No. Your cart stays in this browser while you look around. When you log in or register, its items move to your account, where you find them on every device.',
  },
  {
    question: 'Is it safe to pay here?',
    answer:
      'Every order has an address of its own, and the keys to our coins are kept offline: no server holds them. We never ask for a seed phrase, a private key or remote access to your computer. Anyone who does is not us.',
  },
  {
    question: 'What warranty do I get?',
    answer:
      'All devices are new and sealed, and carry the warranty of their manufacturer: one year for devices by Apple, up to two for accessories of other brands. Your rights as a consumer come on top. If something breaks, open a ticket and we take it from there.',
  },
];

/** Inserts the questions unless there are some. */
export async function seedFaq(db: Db): Promise<void> {
  const rows = faq.map((item, position) => ({ id: v7(), ...item, position }));
  await transact(db, async (trx) => {
    await sql`lock table faq_items in share row exclusive mode`.execute(trx);
    await sql`
      insert into faq_items (id, question, answer, position)
      select id, question, answer, position
      from json_populate_recordset(null::faq_items, ${JSON.stringify(rows)}::json)
      where not exists (select from faq_items)
    `.execute(trx);
  });
}
