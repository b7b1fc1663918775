// The page around the program: it unpacks it, gives it the browser's events, and calls it when a
// frame is due. It knows nothing of studies and draws nothing into the window.
"use strict";

(() => {
    const byId = (id) => document.getElementById(id);
    const canvas = byId("window"), keyboard = byId("keyboard"), curtain = byId("curtain");
    const kKept = "/kept", kFiles = "/files/";

    let program = null;  // emscripten's module, once it runs
    let hasEnded = false;

    // Says why there is no window.
    function say(text) {
        curtain.hidden = false;
        byId("words").textContent = text;
        tell({error : text});
    }

    function fail(problem) {
        hasEnded = true;
        say(`Headlight has come to an end: ${problem}. Load the page again; work that was not saved is ` +
            `offered then.`);
    }

    // ---- unpacking ----

    // Takes the bytes that an element of the page holds as base64.
    function takeBytes(element) {
        const text = atob(element.textContent);
        const bytes = new Uint8Array(text.length);
        for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
        element.remove();
        return bytes;
    }

    const kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" +
        "!#$%&()*+-;,=>?@^_`{|}~";

    // Five digits are four bytes, the highest first.
    function read85(text) {
        const values = new Uint8Array(128);
        for (let k = 0; k < kDigits.length; ++k) values[kDigits.charCodeAt(k)] = k;
        const bytes = new DataView(new ArrayBuffer(text.length / 5 * 4));
        for (let k = 0, at = 0; k < text.length; at += 4) {
            let number = 0;
            for (let n = 0; n < 5; ++n) number = number * 85 + values[text.charCodeAt(k++)];
            bytes.setUint32(at, number);
        }
        return new Uint8Array(bytes.buffer);
    }

    async function unpack(id) {
        const element = byId(id);
        const packed = read85(element.textContent).subarray(0, Number(element.dataset.size));
        element.remove();
        const stream =
            new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    }

    // Writes the files that came with the page; their names may be paths.
    function unpackFiles() {
        for (const element of document.querySelectorAll("script.file")) {
            const path = kFiles + element.dataset.name;
            program.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
            program.FS.writeFile(path, takeBytes(element));
        }
    }

    // Returns the name of what the page is made for, or else what its address asks for, such as
    // headlight.html?open=lesson:masks&present.
    function wanted() {
        const made = document.body.dataset;
        if (made.open) return {open : made.open, isPresented : "present" in made};
        const asked = new URLSearchParams(location.search);
        return {open : asked.get("open") ?? "", isPresented : asked.has("present")};
    }

    // Returns what the browser lacks; empty if nothing.
    function lacking() {
        if (typeof WebAssembly != "object") return "WebAssembly";
        if (typeof DecompressionStream != "function") return "DecompressionStream";
        if (!document.createElement("canvas").getContext("webgl2")) return "WebGL 2";
        // One function that makes a vector of zeros.
        const simd = [
            0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0,
            253, 15, 253, 98, 11
        ];
        return WebAssembly.validate(new Uint8Array(simd)) ? "" : "vectors in WebAssembly";
    }

    // ---- calls with texts ----

    function withText(text, call) {
        const bytes = new TextEncoder().encode(text + "\0");
        const at = program._malloc(bytes.length);
        program.HEAPU8.set(bytes, at);
        call(at);
        program._free(at);
    }

    // ---- turns: a frame, and work beside it ----

    let frame = 0, timer = 0, awayTimer = 0;

    // The browser asks for no frame of a page that is scrolled away in another one, which may wait
    // for an answer all the same.
    function wake() {
        if (frame || hasEnded) return;
        frame = requestAnimationFrame(turn);
        if (hasParentSpoken) awayTimer = setTimeout(turn, 300);
    }

    function turn() {
        cancelAnimationFrame(frame);
        frame = 0;
        clearTimeout(timer);
        clearTimeout(awayTimer);
        if (hasEnded) return;
        let secs = -1;
        try {
            secs = program._page_turn();
        } catch (error) {  // WebAssembly ended it: no memory, or a fault of the program
            fail(error.message);
        }
        if (secs < 0) return;
        if (secs == 0)
            wake();
        else if (secs < 1e6)
            timer = setTimeout(wake, 1000 * secs);
        if (!curtain.hidden && !isWaiting && program._page_is_ready()) curtain.hidden = true;
        keepSoon();
        followText();
        tellParent();
        followPage();
    }

    // ---- the address: its end is the number of the lecture's page ----

    let shownPage = 0;
    let isWaiting = false;  // for the file that the page around this one wants to be shown

    function followPage() {
        const page = program._page_number();
        if (page == 0 || page == shownPage) return;
        shownPage = page;
        try {
            if (location.hash != `#${page}`) history.replaceState(null, "", `#${page}`);
        } catch (error) {
            return;  // a frame of another page may have no address
        }
    }

    function goToAddress() {
        const page = Number(location.hash.slice(1));
        if (!Number.isInteger(page) || page < 1) return;
        program._page_go_to(page);
        wake();
    }

    // ---- what is kept for the next visit ----

    let keeping = 0, isKept = false;

    function keepSoon() {
        if (!keeping) keeping = setTimeout(keep, 1500);
    }

    function keep() {
        clearTimeout(keeping);
        keeping = 0;
        if (hasEnded || !isKept) return;
        program._page_keep();
        program.FS.syncfs(false, () => {});
    }

    // A page in a frame without an origin has no store: it begins anew at every visit.
    function openKept() {
        return new Promise((resolve) => {
            program.FS.mkdirTree(kKept);
            const giveUp = setTimeout(() => resolve(false), 2000);
            const done = (error) => {
                clearTimeout(giveUp);
                resolve(!error);
            };
            try {
                indexedDB.open("headlight").onerror = (event) => event.preventDefault();
                program.FS.mount(program.IDBFS, {}, kKept);
                program.FS.syncfs(true, done);
            } catch (error) {
                done(error);
            }
        });
    }

    // ---- files ----

    async function takeFiles(list) {
        for (const file of list) {
            const bytes = new Uint8Array(await file.arrayBuffer());
            const path = kFiles + file.name.replaceAll("/", "_");
            program.FS.writeFile(path, bytes);
            withText(path, program._page_drop);
        }
        wake();
    }

    function takeFile() {
        const input = document.createElement("input");
        input.type = "file";
        input.multiple = true;
        input.onchange = () => takeFiles(input.files);
        input.click();
    }

    // A frame without an origin may have to do without downloads too, which no script is told.
    const isUnsure = window.parent != window && window.origin == "null" &&
        !("waits" in document.body.dataset);  // a notebook's frame allows them
    let isToldOfDownloads = false;

    function giveFile(path) {
        if (!path.startsWith("/")) path = kFiles + path;
        if (path.startsWith(kKept)) return;  // the program's own
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([program.FS.readFile(path)]));
        link.download = path.slice(path.lastIndexOf("/") + 1);
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
        if (isUnsure && !isToldOfDownloads) setTimeout(tellOfDownloads, 500, link.download);
    }

    // After the program has said that the file is saved.
    function tellOfDownloads(name) {
        isToldOfDownloads = true;
        withText(`The browser was given ${name}. If it has not downloaded it, the page around this ` +
            `one forbids downloads: open Headlight in a tab of its own.`, program._page_say);
    }

    // ---- the clipboard ----

    // Returns whether the old way does it, for which the text must be selected.
    function copyFromField(text) {
        keyboard.value = text;
        keyboard.select();
        const isDone = document.execCommand("copy");
        keyboard.value = "";
        return isDone;
    }

    // A frame may lack the right to the new way, and to try it would be an error in the console.
    function copy(text) {
        const isInFrame = window.parent != window;
        if (isInFrame && copyFromField(text)) return;
        if (navigator.clipboard && window.isSecureContext)
            navigator.clipboard.writeText(text).catch(() => isInFrame || copyFromField(text));
        else if (!isInFrame)
            copyFromField(text);
    }

    // ---- the pointer ----

    const modifiers = (event) => (event.ctrlKey || event.metaKey ? 1 : 0) |
        (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0);

    function place(event) {
        const box = canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    function move(event) {
        program._page_pointer_moved(...place(event), modifiers(event));
        wake();
    }

    const kButtons = [0, 2, 1];  // the DOM's second button is the middle one

    const fingers = new Map();
    let press = null;  // of one finger: what it will have been is open for a while

    const kHold_ms = 500, kSlip = 8;

    function fingerDown(event) {
        fingers.set(event.pointerId, place(event));
        if (fingers.size == 1) {
            move(event);
            press = {at: place(event), isDown: false, event};
            press.timer = setTimeout(() => { press = null; }, kHold_ms);  // a hover
        } else if (press) {
            clearTimeout(press.timer);
            if (press.isDown) program._page_button(0, 0, 0);
            press = null;
        }
    }

    function fingerMoved(event) {
        const before = fingers.get(event.pointerId);
        if (!before) return;
        const now = place(event);
        if (fingers.size == 2) {
            const other = [...fingers.keys()].find((id) => id != event.pointerId);
            const [x, y] = fingers.get(other);
            const span = (at) => Math.hypot(at[0] - x, at[1] - y);
            const growth = Math.log2(span(now) / Math.max(span(before), 1));
            const middle = [(now[0] + x) / 2, (now[1] + y) / 2];
            program._page_pointer_moved(...middle, 0);
            if (Math.abs(growth) > 1e-3) program._page_wheel(0, 8 * growth, 1);
            program._page_wheel((now[0] - before[0]) / 100, (now[1] - before[1]) / 100, 0);
        } else if (press) {
            const slip = Math.hypot(now[0] - press.at[0], now[1] - press.at[1]);
            if (!press.isDown && slip > kSlip) {
                clearTimeout(press.timer);
                press.isDown = true;
                program._page_button(0, 1, 0);
            }
            if (press.isDown) move(event);
        } else {
            move(event);
        }
        fingers.set(event.pointerId, now);
        wake();
    }

    function fingerUp(event) {
        fingers.delete(event.pointerId);
        if (!press) return;
        clearTimeout(press.timer);
        if (!press.isDown) program._page_button(0, 1, 0);
        program._page_button(0, 0, 0);
        press = null;
        wake();
    }

    function listenToPointer() {
        canvas.addEventListener("pointermove", (event) => {
            event.pointerType == "touch" ? fingerMoved(event) : move(event);
        });
        canvas.addEventListener("pointerdown", (event) => {
            event.preventDefault();
            keyboard.focus({preventScroll : true});
            canvas.setPointerCapture(event.pointerId);
            if (event.pointerType == "touch") return fingerDown(event);
            move(event);
            program._page_button(kButtons[event.button] ?? 0, 1, modifiers(event));
            wake();
        });
        const up = (event) => {
            if (event.pointerType == "touch") return fingerUp(event);
            program._page_button(kButtons[event.button] ?? 0, 0, modifiers(event));
            wake();
        };
        canvas.addEventListener("pointerup", up);
        canvas.addEventListener("pointercancel", up);
        canvas.addEventListener("pointerleave", (event) => {
            program._page_pointer_moved(-1e6, -1e6, modifiers(event));
            wake();
        });
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            const pixels = event.deltaMode == 0 ? 100 : event.deltaMode == 1 ? 3 : 1;
            program._page_wheel(-event.deltaX / pixels, -event.deltaY / pixels,
                                modifiers(event));
            wake();
        }, {passive : false});
    }

    // ---- the keyboard ----

    const kOfBrowser = new Set(["F11", "F12", "F3", "F7"]);
    let mayLeave = false;  // after Escape, Tab leaves the window

    function isOfBrowser(event) {
        const ctrl = event.ctrlKey || event.metaKey;
        if (kOfBrowser.has(event.key)) return true;
        if (event.key == "Tab" && mayLeave) return true;
        if (ctrl && event.shiftKey && "IJCijc".includes(event.key)) return true;
        return ctrl && ("+-=0tTwWnNlLrRqQ".includes(event.key) || event.key == "Tab");
    }

    function sendKey(event, isDown) {
        withText(event.code, (code) => withText(event.key, (key) =>
            program._page_key(code, key, isDown ? 1 : 0, modifiers(event))));
        wake();
    }

    function sendText(text) {
        for (const letter of text) program._page_character(letter.codePointAt(0));
        wake();
    }

    // Shows all that an input method has put together so far; the program gets it when it is chosen.
    function widen() {
        keyboard.style.width = "1px";
        keyboard.style.width = keyboard.scrollWidth + "px";
    }

    function listenToKeyboard() {
        keyboard.addEventListener("keydown", (event) => {
            if (event.isComposing || isOfBrowser(event)) return;
            mayLeave = event.key == "Escape";
            const ctrl = event.ctrlKey || event.metaKey;
            if (ctrl && event.key.toLowerCase() == "v") return;  // comes as a paste
            sendKey(event, true);
            const isText = event.key.length == 1 && !ctrl;
            if (!isText && event.key != "Dead" && event.key != "Process") event.preventDefault();
        });
        keyboard.addEventListener("keyup", (event) => {
            if (!event.isComposing) sendKey(event, false);
        });
        keyboard.addEventListener("input", (event) => {
            if (event.isComposing) return widen();
            sendText(keyboard.value);
            keyboard.value = "";
        });
        keyboard.addEventListener("compositionstart", () => {
            keyboard.classList.add("composing");
        });
        keyboard.addEventListener("compositionend", () => {
            keyboard.classList.remove("composing");
            sendText(keyboard.value);
            keyboard.value = "";
            keyboard.style.width = "";
        });
        keyboard.addEventListener("paste", (event) => {
            event.preventDefault();
            if (event.clipboardData.files.length) return takeFiles(event.clipboardData.files);
            withText(event.clipboardData.getData("text/plain"), program._page_set_clipboard);
            const key = {code : "KeyV", key : "v", ctrlKey : true};
            sendKey(key, true);
            sendKey(key, false);
        });
        keyboard.addEventListener("focus", () => { program._page_focus(1), wake(); });
        keyboard.addEventListener("blur", () => { program._page_focus(0), wake(); });
    }

    // The field of the browser's keyboard lies where the program's text is, for input methods.
    function followText() {
        const at = program._page_text_place();
        const [x, y, wants] = program.HEAPF32.subarray(at >> 2, (at >> 2) + 3);
        keyboard.style.left = x + "px";
        keyboard.style.top = y + "px";
        const mode = wants ? "text" : "none";
        if (keyboard.inputMode == mode) return;
        keyboard.inputMode = mode;
        if (wants && document.activeElement == keyboard && fingers.size == 0) {
            keyboard.blur();
            keyboard.focus({preventScroll : true});  // shows the keyboard of a tablet
        }
    }

    // ---- the size ----

    function fit() {
        const scale = window.devicePixelRatio || 1;
        const width = Math.max(canvas.clientWidth, 1), height = Math.max(canvas.clientHeight, 1);
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(height * scale);
        return [canvas.width / scale, canvas.height / scale, scale];
    }

    function resized() {
        program._page_resized(...fit());
        wake();
    }

    // Another scale of the browser, or of the screen that its window was moved to.
    function followScale() {
        matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`)
            .addEventListener("change", () => { followScale(), resized(); }, {once : true});
    }

    let isFilled = false;

    function fillScreen(fills) {
        // Only a press can fill the screen, and a frame only if it may.
        if (fills && !(document.fullscreenEnabled && navigator.userActivation?.isActive)) return;
        const change = fills ? document.documentElement.requestFullscreen?.()
            : document.fullscreenElement ? document.exitFullscreen() : null;
        isFilled = fills;
        change?.catch(() => {});
    }

    // Escape is the browser's while the screen is full: what the program had filled it for ends too.
    function leaveScreen() {
        if (document.fullscreenElement || !isFilled) return;
        isFilled = false;
        for (const isDown of [true, false]) sendKey({code : "Escape", key : "Escape"}, isDown);
    }

    // ---- the page around this one ----

    // A page that has this one in a frame sends messages, objects with one of these members:
    //     {open: {name, bytes, beside}}   opens a file; beside: others that it needs, bytes by name
    //     {select: {path, layer, head, row, column}}   all of them optional
    //     {edit: {setting, value}}        sets a number of the settings
    //     {picture: true}                 asks for a picture of the window
    // Once it has sent one, it gets {selected}, {study}, {picture} (a PNG) and {error}; and before,
    // {ready: true}. With the attribute data-waits of the body nothing is shown before a file is.

    const parent = window.parent != window ? window.parent : null;
    let hasParentSpoken = false, isPictureWanted = false, studyTimer = 0, toldSelected = "";
    let numberOpened = 0;

    const textAt = (at) => {
        const end = program.HEAPU8.indexOf(0, at);
        return new TextDecoder().decode(program.HEAPU8.slice(at, end));
    };

    function tell(message, moved = []) {
        if (parent) parent.postMessage(message, "*", moved);
    }

    function tellParent() {
        if (!hasParentSpoken) return;
        if (isPictureWanted) sendPicture();
        const selected = textAt(program._page_selected());
        if (selected != toldSelected) tell({selected : JSON.parse(selected)});
        toldSelected = selected;
        if (!studyTimer) studyTimer = setTimeout(tellStudy, 300);
    }

    function tellStudy() {
        studyTimer = 0;
        if (hasEnded) return;
        const study = textAt(program._page_changed_study());
        if (study) tell({study});
    }

    // It must be taken before the browser shows the frame and forgets it.
    function sendPicture() {
        isPictureWanted = false;
        canvas.toBlob(async (picture) => {
            const bytes = await picture.arrayBuffer();
            tell({picture : bytes}, [bytes]);
        });
    }

    function openForParent({name, bytes, beside = {}}) {
        const folder = `${kFiles}${++numberOpened}`;
        program.FS.mkdirTree(folder);
        const path = (name) => `${folder}/${String(name).replaceAll("/", "_")}`;
        const write = (name, bytes) => program.FS.writeFile(
            path(name), typeof bytes == "string" ? bytes : new Uint8Array(bytes), {canOwn : true});
        for (const [other, bytes] of Object.entries(beside)) write(other, bytes);
        write(name, bytes);
        withText(path(name), program._page_open);
        toldSelected = "";
        isWaiting = false;
        curtain.hidden = true;
    }

    function selectForParent({path, layer, head, row, column}) {
        const number = (value) => Number.isInteger(value) ? value : -1;
        withText(String(path ?? ""), (at) => program._page_select(
            at, number(layer), number(head), number(row), number(column)));
    }

    function hearParent({data, source}) {
        if (!parent || source != parent || hasEnded || !data || typeof data != "object") return;
        const {open, select, edit, picture} = data;
        if (!open && !select && !edit && !picture) return;
        hasParentSpoken = true;
        try {
            if (open) openForParent(open);
            if (select) selectForParent(select);
            if (edit)
                withText(String(edit.setting), (at) => program._page_set(at, Number(edit.value)));
        } catch (error) {
            tell({error : `The page cannot do what it was asked for: ${error.message ?? error}`});
        }
        if (picture) {
            isPictureWanted = true;
            program._page_draw_again();
        }
        wake();
    }

    // ---- the beginning ----

    async function begin() {
        const lack = lacking();
        if (lack) {
            say(`This browser lacks ${lack}. Headlight runs in current versions of Chrome, Edge, ` +
                `Firefox and Safari.`);
            return;
        }
        const wasm = await unpack("program");
        const page = {
            wake, takeFile, giveFile, copy, fillScreen,
            fail,
            tellProblem(problem) { tell({error : problem}); },
        };
        program = await createHeadlight({
            canvas, page, wasmBinary : wasm,
            print : () => {}, printErr : () => {},
        });
        const {open, isPresented} = wanted();
        isKept = !open && await openKept();  // what is made for something begins as it was made
        program.FS.mkdirTree(kFiles);
        unpackFiles();
        const waits = "waits" in document.body.dataset;
        withText(open, (at) => program._page_begin(...fit(), at, isPresented ? 1 : 0));
        if (hasEnded) return;
        if (!open && !waits && !isKept)
            withText("The browser keeps nothing of this page: save what you want to find again.",
                program._page_say);
        goToAddress();
        window.addEventListener("hashchange", goToAddress);
        listenToPointer();
        listenToKeyboard();
        new ResizeObserver(resized).observe(canvas);
        followScale();
        document.addEventListener("fullscreenchange", leaveScreen);
        document.addEventListener("visibilitychange", () => {
            if (document.hidden) keep();
        });
        for (const kind of ["dragover", "drop"])
            document.addEventListener(kind, (event) => {
                event.preventDefault();
                if (kind == "drop") takeFiles(event.dataTransfer.files);
            });
        canvas.addEventListener("webglcontextlost", (event) => {
            event.preventDefault();
            fail("the browser has taken its picture away");
        });
        if (!parent) keyboard.focus({preventScroll : true});
        window.headlight = program;
        if (waits) {
            isWaiting = true;
            byId("words").textContent = "Headlight waits for the file that it is to show…";
        }
        turn();
        addEventListener("message", hearParent);
        tell({ready : true});
    }

    begin().catch((error) => say(`Headlight cannot begin: ${error.message ?? error}`));
})();
