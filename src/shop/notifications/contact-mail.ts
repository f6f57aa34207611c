/** Answers of staff to contact messages. */
import type { MailBlock, MailContents } from './render-mail.ts';

const PREVIEW_LENGTH = 140;

/**
 * Contains only the text of staff: the message itself may have been written by anybody to the owner
 * of the address. @param shopName empty if it is not set
 */
export function writeContactAnswerMail(text: string, shopName: string): MailContents {
  const title = shopName === '' ? 'Answer to your message' : `Answer to your message to ${shopName}`;
  const paragraphs = text.split(/\n{2,}/).map((part): MailBlock => ({ kind: 'text', text: part }));
  return {
    subject: title,
    title,
    preview: text.length > PREVIEW_LENGTH ? `${text.slice(0, PREVIEW_LENGTH - 1).toWellFormed()}…` : text,
    blocks: paragraphs,
    reason: 'You get this mail because somebody wrote to our shop on the contact page with this address.',
  };
}
