import type { Locator } from '@playwright/test';

/** Clicks a button in the moment in which it is enabled again after it was disabled. Call it before that. */
export const clickWhenEnabledAgain = (button: Locator): Promise<void> =>
  button.evaluate((element: HTMLButtonElement) => {
    let wasDisabled = false;
    const observer = new MutationObserver(() => {
      wasDisabled ||= element.disabled;
      if (!wasDisabled || element.disabled) return;
      observer.disconnect();
      element.click();
    });
    observer.observe(element, { attributes: true });
  });
