/** Sender and frame of all mails, from the settings of the shop. */
import type { Sender } from '#src/platform/mail/mail-address.ts';
import { isUploadPath, toIconUrl } from '#src/shop/pictures/picture-url.ts';
import type { MailFrame } from '#src/shop/notifications/render-mail.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { resolveShopUrl } from './settings.ts';
import type { Settings } from './settings.ts';

/** The settings of the shop name the sender; the address is that of MAIL_FROM. */
export function createSender({ mailFrom }: Settings, { current: { identity, mail } }: ShopSettings): Sender {
  return { name: mail.sender_name || mailFrom.name || identity.name, address: mailFrom.address };
}

/** Pixels of the file, which is shown at 28. */
const MARK_SIDE = 180;

/** Reads the present settings whenever a mail is rendered. */
export function createMailFrame(settings: Settings, shopSettings: ShopSettings): MailFrame {
  const shopUrl = resolveShopUrl(settings);
  return {
    shopUrl,
    get shopName() {
      return shopSettings.current.identity.name;
    },
    get shopAddress() {
      return shopSettings.current.identity.address;
    },
    get markUrl() {
      const { favicon_path: icon } = shopSettings.current.identity;
      if (icon !== null && isUploadPath(icon)) return `${shopUrl}${toIconUrl(icon, MARK_SIDE)}`;
      return settings.mode === 'demo' && icon === null ? `${shopUrl}/icon-192.png` : null;
    },
    get footer() {
      return shopSettings.current.mail.mail_footer;
    },
  };
}
