/**
 * The instruction on withdrawal and the withdrawal form that consumers are given: the wording of Directive 2011/83/EU,
 * annex I, parts A and B, without fax (Directive 2019/2161), completed for goods that are sent to the buyer. The
 * numbers are those of the annex's instructions for completion; 3 says in our words what article 11a asks of the
 * withdrawal function (Directive 2023/2673).
 */
import type { Seller, TermsDocument } from './terms-content.ts';

interface WithdrawalFacts {
  readonly seller: Seller;
  /** Where goods are sent back to, in lines. Empty: to the seller. */
  readonly returnAddress: string;
  /** The shop, not the consumer, bears the cost of returning the goods. */
  readonly paysReturn: boolean;
  /** Page of the withdrawal function. */
  readonly withdrawalUrl: string;
}

const joinLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim().replace(/,$/, ''))
    .filter((line) => line !== '')
    .join(', ');

const joinSeller = (parts: readonly string[]): string =>
  parts
    .map(joinLines)
    .filter((part) => part !== '')
    .join(', ');

/** Annex I, part A. */
export function composeInstruction({
  paysReturn,
  returnAddress,
  seller,
  withdrawalUrl,
}: WithdrawalFacts): TermsDocument {
  const { address, email, name, phone } = seller;
  const identity = joinSeller([name, address, phone, email]);
  const recipient = returnAddress.trim() === '' ? '' : ` at ${joinLines(returnAddress)}`;
  return {
    title: 'Information about the right of withdrawal',
    sections: [
      {
        heading: 'Right of withdrawal',
        paragraphs: [
          'You have the right to withdraw from this contract within 14 days without giving any reason.',
          // 1 (b) and (c): an order can be sent in several parcels.
          'The withdrawal period will expire after 14 days from the day on which you acquire, or a third party other than the carrier and indicated by you acquires, physical possession of the goods, or of the last good if goods of one order are delivered separately.',
          // 2
          `To exercise the right of withdrawal, you must inform us${identity === '' ? '' : ` (${identity})`} of your decision to withdraw from this contract by an unequivocal statement (e.g. a letter sent by post or e-mail). You may use the attached model withdrawal form, but it is not obligatory.`,
          // 3
          `You can also exercise your right of withdrawal online at ${withdrawalUrl}. If you use this online function, we will send you an acknowledgement of receipt on a durable medium (e.g. by e-mail) without undue delay, with information including its content and the date and time of its submission.`,
          'To meet the withdrawal deadline, it is sufficient for you to send your communication concerning your exercise of the right of withdrawal before the withdrawal period has expired.',
        ],
      },
      {
        heading: 'Effects of withdrawal',
        paragraphs: [
          'If you withdraw from this contract, we shall reimburse to you all payments received from you, including the costs of delivery (with the exception of the supplementary costs resulting from your choice of a type of delivery other than the least expensive type of standard delivery offered by us), without undue delay and in any event not later than 14 days from the day on which we are informed about your decision to withdraw from this contract. We will carry out such reimbursement using the same means of payment as you used for the initial transaction, unless you have expressly agreed otherwise; in any event, you will not incur any fees as a result of such reimbursement.',
          // 4
          'We may withhold reimbursement until we have received the goods back or you have supplied evidence of having sent back the goods, whichever is the earliest.',
          // 5 (a)
          `You shall send back the goods or hand them over to us${recipient}, without undue delay and in any event not later than 14 days from the day on which you communicate your withdrawal from this contract to us. The deadline is met if you send back the goods before the period of 14 days has expired.`,
          // 5 (b)
          paysReturn
            ? 'We will bear the cost of returning the goods.'
            : 'You will have to bear the direct cost of returning the goods.',
          // 5 (c)
          'You are only liable for any diminished value of the goods resulting from the handling other than what is necessary to establish the nature, characteristics and functioning of the goods.',
        ],
      },
    ],
  };
}

/** Annex I, part B. */
export function composeForm({ address, email, name }: Seller): TermsDocument {
  return {
    title: 'Model withdrawal form',
    sections: [
      {
        heading: '',
        paragraphs: [
          '(complete and return this form only if you wish to withdraw from the contract)',
          `— To ${joinSeller([name, address, email]) || 'the seller'}:`,
          '— I/We (*) hereby give notice that I/We (*) withdraw from my/our (*) contract of sale of the following goods (*)/for the provision of the following service (*),',
          '— Ordered on (*)/received on (*),',
          '— Name of consumer(s),',
          '— Address of consumer(s),',
          '— Signature of consumer(s) (only if this form is notified on paper),',
          '— Date',
          '(*) Delete as appropriate.',
        ],
      },
    ],
  };
}
