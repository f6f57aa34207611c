/** What a login takes and gives. */
import type { User } from './contract.ts';

/** The client that logs in. */
export interface LoginClient {
  readonly ip: string;
  readonly isBrowser: boolean;
  readonly guestToken: string | null;
  /** Unverified cookie that marks a known device. */
  readonly deviceCookie?: string | null;
  /** User-Agent as sent by the client. */
  readonly userAgent?: string | null;
}

export interface Login extends LoginClient {
  /** Username or email address. */
  readonly name: string;
  readonly password: string;
  /** Called with the account of the name, whatever the result. For logging only. */
  readonly onAccount?: (userId: string) => void;
}

export type SignInResult =
  | {
      readonly ok: true;
      readonly user: User;
      readonly token: string;
      /** Value of the session cookie; null for clients other than browsers. */
      readonly cookie: string | null;
      /** Marks this browser as a known device; null for other clients. */
      readonly deviceCookie: string | null;
      /** Whether the guest cart had items, now merged into the account's cart. */
      readonly isCartPreserved: boolean;
    }
  /** `blocked` only after the right password, so that strangers learn nothing about an account. */
  | { readonly ok: false; readonly reason: 'invalid-credentials' | 'blocked' | 'busy' }
  /** The password is correct, and a code has to follow. */
  | { readonly ok: false; readonly reason: 'second-factor'; readonly pendingToken: string }
  | { readonly ok: false; readonly reason: 'too-often'; readonly retryAfterSeconds: number };
