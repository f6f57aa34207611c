/** Sender and frame of all mails, from the settings of the shop. */
import type { Sender } from '#src/platform/mail/mail-address.ts';
import type { MailFrame } from '#src/shop/notifications/render-mail.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { resolveShopUrl } from './settings.ts';
import type { Settings } from './settings.ts';

/** The settings of the shop name the sender; the address is that of MAIL_FROM. */
export function createSender({ mailFrom }: Settings, { current: { identity, mail } }: ShopSettings): Sender {
  return { name: mail.sender_name || mailFrom.name || identity.name, address: mailFrom.address };
}

/** Reads the present settings whenever a mail is rendered. */
export function createMailFrame(settings: Settings, shopSettings: ShopSettings): MailFrame {
  return {
    shopUrl: resolveShopUrl(settings),
    get shopName() {
      return shopSettings.current.identity.name;
    },
    get shopAddress() {
      return shopSettings.current.identity.address;
    },
    get footer() {
      return shopSettings.current.mail.mail_footer;
    },
  };
}
