/** Writes the mails to staff about returns and withdrawals. */
import type { JobData } from '#src/platform/jobs/jobs.ts';
import type { Mail } from '#src/platform/mail/mails.ts';
import { renderMail } from '#src/shop/notifications/render-mail.ts';
import type { MailFrame } from '#src/shop/notifications/render-mail.ts';
import type { ReturnDesk } from '#src/shop/returns/desk/service.ts';
import { isStaffMailStillTrue } from '#src/shop/returns/return-mail-kinds.ts';
import type { UnmatchedWithdrawals } from '#src/shop/returns/withdrawal/unmatched.service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { writeReturnMail, writeReturnsMail } from './returns-mail.ts';
import { writeWithdrawalMail } from './withdrawal-mail.ts';

export interface ReturnStaffMailsOptions {
  readonly returnDesk: Pick<ReturnDesk, 'find' | 'list'>;
  readonly unmatchedWithdrawals: Pick<UnmatchedWithdrawals, 'findOpen'>;
  readonly shopSettings: Pick<ShopSettings, 'timeZone'>;
  readonly frame: MailFrame;
  /** Null: no mails to staff. */
  readonly getSupportEmail: () => string | null;
}

export class ReturnStaffMails {
  readonly #options: ReturnStaffMailsOptions;

  constructor(options: ReturnStaffMailsOptions) {
    this.#options = options;
  }

  /** Not sent once the return is decided. */
  async writeOfReturn({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, getSupportEmail, returnDesk, shopSettings } = this.#options;
    const supportEmail = getSupportEmail();
    const found = await returnDesk.find(id);
    if (found === null || supportEmail === null || !isStaffMailStillTrue(found.return)) return null;
    const { cause, lines, reference, refund_due_at: dueAt } = found.return;
    const url = `${frame.shopUrl}/admin/returns/${id}`;
    const facts = { reference, cause, lines, dueAt, orderNumber: found.order_number, url };
    return { to: supportEmail, ...renderMail(writeReturnMail(facts, shopSettings.timeZone), frame) };
  }

  /** Not sent once somebody answered the statement. */
  async writeOfWithdrawal({ id = '' }: JobData): Promise<Mail | null> {
    const { frame, getSupportEmail, shopSettings, unmatchedWithdrawals } = this.#options;
    const [supportEmail, stated] = [getSupportEmail(), await unmatchedWithdrawals.findOpen(id)];
    if (supportEmail === null || stated === null) return null;
    const facts = {
      reference: stated.reference,
      statedAt: stated.stated_at,
      url: `${frame.shopUrl}/admin/withdrawals`,
    };
    const contents = writeWithdrawalMail(facts, shopSettings.timeZone);
    return { to: supportEmail, ...renderMail(contents, frame) };
  }

  /** The returns whose refund is due when the mail is sent; none: no mail. */
  async writeOfReturns(): Promise<Mail | null> {
    const { frame, getSupportEmail, returnDesk, shopSettings } = this.#options;
    const supportEmail = getSupportEmail();
    const { returns, total } = await returnDesk.list({ view: 'due' });
    if (total === 0 || supportEmail === null) return null;
    const lines = returns.map(({ order_number: orderNumber, return: { reference, refund_due_at: dueAt } }) => ({
      reference,
      orderNumber,
      dueAt,
    }));
    const url = `${frame.shopUrl}/admin/returns?view=due`;
    const contents = writeReturnsMail({ returns: lines, total, timeZone: shopSettings.timeZone, url });
    return { to: supportEmail, ...renderMail(contents, frame) };
  }
}
