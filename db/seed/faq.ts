import { sql } from 'kysely';
import { v7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';

export const faq: readonly { readonly question: string; readonly answer: string }[] = [
  {
    question: 'How do I pay with Bitcoin?',
    answer:
      'Go to checkout and enter your delivery address. We show an amount and a Bitcoin address that is used only for your order, as a QR code and as text. Send exactly that amount from any wallet or exchange within {payment_window}, or within {short_payment_window} if an item is almost sold out. The page detects your payment automatically, usually within seconds.',
  },
  {
    question: 'When is my order paid?',
    answer:
      'Once the network has confirmed your payment. {confirmations}. Each takes about ten minutes on average. The order page shows the progress, and you can close it in the meantime.',
  },
  {
    question: 'What if I send too little?',
    answer:
      'Your payment is not lost. The order page shows the missing amount with its own QR code. Send it before the countdown on the order page ends, and both payments count. Often an exchange has deducted its fee from the amount.',
  },
  {
    question: 'What if I send too much or too late?',
    answer:
      'If you send too much, the order is paid, and we refund the surplus to the address that you confirm on the page of your order. If your payment arrives late, we accept it automatically if the price of Bitcoin has changed only slightly and the order has not expired long ago. Otherwise we write to you, and you choose between a new quote and a refund.',
  },
  {
    question: 'Why does the price in BTC change?',
    answer:
      'Our prices are set in US dollars, and the price in Bitcoin follows the market. At checkout the rate is fixed for {payment_window}, or for {short_payment_window} if an item is almost sold out. You pay the amount that the order page shows.',
  },
  {
    question: 'How long does delivery take?',
    answer:
      'In London we deliver today in 24 hours, once your payment is confirmed. Parcels take 1–2 business days after dispatch to the rest of the United Kingdom, 2–4 to Europe and 4–8 to other continents. Shipping is free and insured, and you get a tracking link.',
  },
  {
    question: 'Can I return a device?',
    answer:
      'Yes, within 14 days of delivery, complete and in resaleable condition. Open a ticket in your profile, and we send you a return label. {refund_rule} Refunds go to the address that you confirm on the page of your order.',
  },
  {
    question: 'Do I need an account to fill a cart?',
    answer:
      'No. Your cart is saved in this browser. When you log in or register, its items move to your account, and you see them on every device.',
  },
  {
    question: 'Is it safe to pay here?',
    answer:
      'Yes. Every order has its own address, and the keys to our coins are stored offline, not on a server. We never ask for a seed phrase, a private key or remote access to your computer. Anyone who asks for these does not work for us.',
  },
  {
    question: 'What warranty do I get?',
    answer:
      'All devices are new and sealed and have the manufacturer’s warranty: one year for Apple devices, up to two for accessories of other brands. Your statutory rights apply in addition. If something breaks, open a ticket.',
  },
];

/** Inserts the questions, once: staff may delete them. */
export async function seedFaq(db: Db): Promise<void> {
  const rows = faq.map((item, position) => ({ id: v7(), ...item, position }));
  await transact(db, async (trx) => {
    await sql`lock table faq_items in share row exclusive mode`.execute(trx);
    await sql`
      insert into faq_items (id, question, answer, position)
      select id, question, answer, position
      from json_populate_recordset(null::faq_items, ${JSON.stringify(rows)}::json)
      where not exists (select from faq_items) and not exists (select from content_sections where name = 'faq')
    `.execute(trx);
    await sql`
      insert into content_sections (name, body, version, updated_at) values ('faq', '{}', 1, now())
      on conflict (name) do nothing
    `.execute(trx);
  });
}
