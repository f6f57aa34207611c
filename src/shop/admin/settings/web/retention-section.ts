/** The section of the settings that says how long data are kept. */
import { defineSection } from './settings-field.ts';
import type { SectionForm } from './settings-field.ts';

const years = (label: string, hint: string) => ({
  label,
  hint,
  maxLength: 2,
  kind: 'number' as const,
});

export const retentionSection: SectionForm = defineSection('retention', {
  title: 'Retention',
  text: 'How long data are kept. The privacy text follows with {order_retention}, {invoice_retention}, {message_retention} and {staff_record_retention}. Orders, invoices and amounts stay in lists and figures: names, addresses and notes are erased, and of invoices everything except number, date and sums.',
  related: { to: '/admin/content?part=privacy', text: 'Edit the privacy text' },
  fields: {
    erases_orders: {
      label: 'Erase personal data of orders and invoices after these years',
      maxLength: 0,
      kind: 'switch',
    },
    order_years: years('Years for orders', 'Full calendar years after the one in which the order ended, from 2 to 30.'),
    invoice_years: years(
      'Years for invoices',
      'Full calendar years after the one of issue, from 5 to 30. Enter what the law of your country asks for; records of the One Stop Shop are kept for 10.',
    ),
    message_years: years(
      'Years for messages',
      'After the last message of a closed ticket, a message of the contact page, or the end of a return, from 1 to 30. They are always deleted.',
    ),
    staff_record_years: years(
      'Years for records of staff',
      'Details of the audit log, from 1 to 30. They are always erased; who acted and when stays.',
    ),
  },
});
