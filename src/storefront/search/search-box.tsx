import type { FocusEvent, RefObject } from 'react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { createLazyComponent } from '#src/platform/pages/browser/lazy-component.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import styles from './search-box.module.css';
import type { DropdownKeys, Popup } from './search-dropdown.tsx';
import { useShop } from '../shop-identity.ts';

/** The search reads the beginning of a longer text. */
const MAX_SEARCHED = 200;
/** Each page has one search box. */
const LIST_ID = 'search-finds';

// If it cannot be fetched, the form still opens the results page.
const SearchDropdown = createLazyComponent(
  'the list of results',
  async () => (await import('./search-dropdown.tsx')).SearchDropdown,
);

const CLOSED: Popup = { isOpen: false, activeId: undefined };

/**
 * A search form that works without a script. With one it is a combobox, whose list of results is fetched with the first
 * focus.
 */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const keys = useRef<DropdownKeys>(null);
  const [text, setText] = useState('');
  const [popup, setPopup] = useState<Popup>(CLOSED);
  const [hasFocus, setFocus] = useState(false);
  const [wasFocused, setFocused] = useState(false);
  const navigate = useNavigate();
  const { name } = useShop();
  useSlashKey(input);

  const clear = () => {
    if (input.current) input.current.value = '';
    setText('');
    setPopup(CLOSED);
  };

  // The field may have been focused before hydration: then only the replayed text arrives.
  const follow = ({ target }: { readonly target: HTMLInputElement }) => {
    setText(target.value);
    if (document.activeElement !== target) return;
    setFocus(true);
    setFocused(true);
  };

  const submit = () => {
    // Text typed before hydration is in the field only.
    const wanted = input.current?.value.trim() ?? '';
    if (wanted === '') return;
    clear();
    input.current?.blur();
    void navigate(`/search-results?${new URLSearchParams({ query: wanted })}`);
  };
  const leave = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocus(false);
  };

  return (
    <search className={styles.search} onBlur={leave}>
      <form
        action="/search-results"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <input
          ref={input}
          type="search"
          name="query"
          placeholder={name ? `Search in ${name}` : 'Search'}
          aria-label="Search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          role="combobox"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded={popup.isOpen}
          aria-controls={popup.isOpen ? LIST_ID : undefined}
          aria-activedescendant={popup.activeId}
          className={styles.input}
          onChange={follow}
          onFocus={follow}
          onKeyDown={(event) => keys.current?.press(event)}
        />
        <button type="submit" aria-label="Search" className={styles.submit}>
          <Icon name="search" />
        </button>
        {wasFocused && (
          <Suspense fallback={null}>
            <SearchDropdown
              ref={keys}
              text={hasFocus ? text.trim().slice(0, MAX_SEARCHED) : ''}
              listId={LIST_ID}
              onPopup={setPopup}
              onDone={clear}
            />
          </Suspense>
        )}
      </form>
    </search>
  );
}

/** The key `/` focuses the search box, except while typing in a field. */
function useSlashKey(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isPlain = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      const { target } = event;
      const isTyping =
        target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog');
      if (!isPlain || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [input]);
}
