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
        removeEventListener("beforeunload", ask);
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

    // Takes the bytes of an element; the last group of digits may hold more.
    function takePacked(element) {
        const packed = read85(element.textContent).subarray(0, Number(element.dataset.packed));
        element.remove();
        return packed;
    }

    let unpacker = null;  // the functions of liblzma

    async function beginUnpacker() {
        const nothing = {env : {emscripten_notify_memory_growth() {}}};
        const made = await WebAssembly.instantiate(takePacked(byId("unpacker")), nothing);
        unpacker = made.instance.exports;
        unpacker._initialize();
    }

    // Returns what an element has in the format of xz.
    function unpack(element) {
        const packed = takePacked(element), size = Number(element.dataset.size);
        const places = unpacker.malloc(16);  // the most memory, and how far it has read and written
        const input = unpacker.malloc(packed.length), output = unpacker.malloc(size);
        new Uint8Array(unpacker.memory.buffer).set(packed, input);
        const said = new Uint32Array(unpacker.memory.buffer, places, 4);
        said.set([0xffffffff, 0xffffffff, 0, 0]);
        const problem = unpacker.lzma_stream_buffer_decode(
            places, 0, 0, input, places + 8, packed.length, output, places + 12, size);
        const written = new Uint32Array(unpacker.memory.buffer, places, 4)[3];
        if (problem != 0 || written != size) throw new Error("the file of the page is damaged");
        const bytes = new Uint8Array(unpacker.memory.buffer).slice(output, output + size);
        for (const at of [places, input, output]) unpacker.free(at);
        return bytes;
    }

    // ---- data: what the program reads when it needs it; a page that needs less has left some out

    const kUnknown = 0, kHere = 1, kLeftOut = 2;
    const data = new Map();  // elements by name

    function findData() {
        for (const element of document.querySelectorAll("script.data"))
            data.set(element.dataset.name, element);
    }

    function dataState(name) {
        const element = data.get(name);
        return !element ? kUnknown : element.textContent ? kHere : kLeftOut;
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
        if (made.open)
            return {open : made.open, isPresented : "present" in made, isHandedOut : true};
        const asked = new URLSearchParams(location.search);
        return {
            open : asked.get("open") ?? "",
            isPresented : asked.has("present"),
            isHandedOut : false
        };
    }

    // Returns what the browser lacks; empty if nothing.
    function lacking() {
        if (typeof WebAssembly != "object") return "WebAssembly";
        if (!document.createElement("canvas").getContext("webgl2")) return "WebGL 2";
        // One function that makes a vector of zeros.
        const simd = [
            0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0,
            253, 15, 253, 98, 11
        ];
        return WebAssembly.validate(new Uint8Array(simd)) ? "" : "vectors in WebAssembly";
    }

    // ---- calls of the program ----

    function withText(text, call) {
        const bytes = new TextEncoder().encode(text + "\0");
        const at = program._malloc(bytes.length);
        program.HEAPU8.set(bytes, at);
        call(at);
        program._free(at);
    }

    // Sends an event to the window; page_window.cpp says what each kind has.
    function send(kind, {x = 0, y = 0, z = 0, held = 0, text = ""}) {
        withText(kind, (kind) => withText(text, (text) =>
            program._page_event(kind, x, y, z, held, text)));
        wake();
    }

    // Returns the state of the window, in the order of page_main.cpp.
    function state() {
        const at = program._page_state() >> 2;
        const [isReady, page, hasAnswers, types, x, y, scrolls] =
            program.HEAPF32.subarray(at, at + 7);
        return {isReady, page, hasAnswers, types, x, y, scrolls};
    }

    // ---- OpenGL ----

    // Dear ImGui asks for these before it draws. Chromium would ask another process, which answers
    // when it has drawn all that came before: it takes three quarters of a turn.
    function rememberState() {
        const gl = canvas.getContext("webgl2"), known = new Map();
        const remember = (method, names, values) => {
            const call = gl[method].bind(gl);
            names.forEach((name) => known.set(name, gl.getParameter(name)));
            gl[method] = (...given) => {
                values(...given).forEach((value, k) => known.set(names[k], value));
                call(...given);
            };
        };
        const blendFunctions =
            [gl.BLEND_SRC_RGB, gl.BLEND_DST_RGB, gl.BLEND_SRC_ALPHA, gl.BLEND_DST_ALPHA];
        const blendEquations = [gl.BLEND_EQUATION_RGB, gl.BLEND_EQUATION_ALPHA];
        const box = (...numbers) => [new Int32Array(numbers)];
        const same = (...values) => values;
        remember("viewport", [gl.VIEWPORT], box);
        remember("scissor", [gl.SCISSOR_BOX], box);
        remember("blendFunc", blendFunctions, (from, to) => [from, to, from, to]);
        remember("blendFuncSeparate", blendFunctions, same);
        remember("blendEquation", blendEquations, (equation) => [equation, equation]);
        remember("blendEquationSeparate", blendEquations, same);
        const ask = gl.getParameter.bind(gl);
        gl.getParameter = (name) => known.has(name) ? known.get(name) : ask(name);
    }

    // Every part of a picture has a vertex array of its own, with a new number, and emscripten keeps
    // a list of all numbers that it has ever given. These lists have only those that are in use.
    function forgetNumbers() {
        const {GL} = program;
        for (const name of ["textures", "vaos"])
            GL[name] = new Proxy({...GL[name]}, {
                get : (used, key) => key == "length" ? Infinity : used[key],  // nothing is filled up
                set : (used, key, object) => object === null ? delete used[key]
                                                             : Reflect.set(used, key, object),
            });
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
        const now = state();
        if (!curtain.hidden && !isWaiting && now.isReady) curtain.hidden = true;
        keepSoon();
        followText(now);
        tellParent();
        followPage(now.page);
        (now.hasAnswers ? addEventListener : removeEventListener)("beforeunload", ask);
    }

    // Answers stand only here, since the next one at this computer is to begin without them.
    function ask(event) {
        event.preventDefault();
    }

    // ---- the address: its end is the number of the lecture's page ----

    let shownPage = 0;
    let isWaiting = false;  // for the file that the page around this one wants to be shown

    function followPage(page) {
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
            send("drop", {text : path});
        }
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

    // Asks the page around this one for a file that comes later; returns false if there is none.
    const asked = new Map();  // paths by names, until they come
    let seenFiles = 0, lookTimer = 0;

    function askFile(path) {
        if (!parent || !hasParentSpoken) return false;
        const name = path.slice(path.lastIndexOf("/") + 1);
        asked.set(name, path);
        tell({ask : name});
        return true;
    }

    // Many files that come one after another are looked at together.
    function takeAsked({name, bytes}) {
        if (!asked.has(name)) return;
        program.FS.writeFile(asked.get(name), new Uint8Array(bytes), {canOwn : true});
        asked.delete(name);
        clearTimeout(lookTimer);
        if (asked.size == 0 || performance.now() - seenFiles > 500)
            seeFiles();
        else
            lookTimer = setTimeout(seeFiles, 500);
    }

    function seeFiles() {
        if (hasEnded) return;
        seenFiles = performance.now();
        program._page_draw_again();
        wake();
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

    // Returns false where the browser takes no pictures.
    function copyPicture(bytes) {
        if (typeof ClipboardItem == "undefined" || !navigator.clipboard) return false;
        const type = "image/png";
        navigator.clipboard.write([new ClipboardItem({[type] : new Blob([bytes], {type})})])
            .catch(() => {});
        return true;
    }

    // ---- the pointer ----

    const held = (event) => (event.ctrlKey || event.metaKey ? 1 : 0) |
        (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0);

    function place(event) {
        const box = canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    function move(event) {
        const [x, y] = place(event);
        send("move", {x, y, held : held(event)});
    }

    const kButtons = [0, 2, 1];  // the DOM's second button is the middle one

    function button(event, isDown) {
        send("button", {x : kButtons[event.button] ?? 0, y : isDown ? 1 : 0, held : held(event)});
    }

    const touch = (isDown) => send("button", {y : isDown ? 1 : 0});

    const fingers = new Map();
    let press = null;  // of one finger: what it will have been is open for a while
    let pair = null;   // of two: what they do is decided when one has moved

    const kHold_ms = 500, kSlip = 8;
    const kZoomStep = 1.3;  // of a notch of the wheel, in every picture

    // Zooms a picture as much as the fingers do.
    function zoom(growth) { send("wheel", {y : Math.log(growth) / Math.log(kZoomStep)}); }

    function fingerDown(event) {
        fingers.set(event.pointerId, place(event));
        if (fingers.size == 1) {
            move(event);
            press = {at: place(event), isDown: false, event};
            press.timer = setTimeout(() => { press = null; }, kHold_ms);  // a hover
            return;
        }
        if (press) clearTimeout(press.timer);
        if (press?.isDown) touch(false);
        press = null;
        leavePair();
        if (fingers.size == 2) pair = {does : "", ...spread()};
    }

    // Returns the point between two fingers and how far apart they are.
    function spread() {
        const [a, b] = [...fingers.values()];
        return {x : (a[0] + b[0]) / 2, y : (a[1] + b[1]) / 2,
            span : Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1)};
    }

    const drag = (isDown) => send("button", {x : 2, y : isDown ? 1 : 0});  // of the middle button

    function pairMoved() {
        const now = spread();
        if (!pair.does) {
            const way = Math.hypot(now.x - pair.x, now.y - pair.y);
            const growth = Math.abs(now.span - pair.span);
            send("move", now);
            if (Math.max(way, growth) < kSlip) return;
            pair.does = state().scrolls ? "scroll" : growth > way ? "zoom" : "drag";
            if (pair.does == "drag") drag(true);
        }
        send("move", now);
        if (pair.does == "zoom") zoom(now.span / pair.span);
        if (pair.does == "scroll")
            send("wheel", {x : (now.x - pair.x) / 100, y : (now.y - pair.y) / 100});
        pair = {does : pair.does, ...now};
    }

    function leavePair() {
        if (pair?.does == "drag") drag(false);
        pair = null;
    }

    function fingerMoved(event) {
        if (!fingers.has(event.pointerId)) return;
        const now = place(event);
        fingers.set(event.pointerId, now);
        if (pair) {
            pairMoved();
        } else if (press) {
            const slip = Math.hypot(now[0] - press.at[0], now[1] - press.at[1]);
            if (!press.isDown && slip > kSlip) {
                clearTimeout(press.timer);
                press.isDown = true;
                touch(true);
            }
            if (press.isDown) move(event);
        } else {
            move(event);
        }
    }

    function fingerUp(event) {
        fingers.delete(event.pointerId);
        leavePair();
        if (!press) return;
        clearTimeout(press.timer);
        if (!press.isDown) touch(true);
        touch(false);
        press = null;
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
            button(event, true);
        });
        const up = (event) => {
            event.pointerType == "touch" ? fingerUp(event) : button(event, false);
        };
        canvas.addEventListener("pointerup", up);
        canvas.addEventListener("pointercancel", up);
        canvas.addEventListener("pointerleave", (event) => {
            send("move", {x : -1e6, y : -1e6, held : held(event)});
        });
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            // So browsers tell of two fingers on a touchpad that pinch.
            if (event.ctrlKey && !isCtrlDown) return zoom(Math.exp(-event.deltaY / 100));
            const pixels = event.deltaMode == 0 ? 100 : event.deltaMode == 1 ? 3 : 1;
            send("wheel",
                 {x : -event.deltaX / pixels, y : -event.deltaY / pixels, held : held(event)});
        }, {passive : false});
    }

    // ---- the keyboard ----

    // Keys that the browser keeps, or that are left to it, as the program writes them.
    const kOfBrowser = new Set([
        "F3", "F7", "F11", "F12", "Ctrl++", "Ctrl+\u2212", "Ctrl+=", "Ctrl+0", "Ctrl+L", "Ctrl+N",
        "Ctrl+Q", "Ctrl+R", "Ctrl+T", "Ctrl+W", "Ctrl+Tab", "Ctrl+Shift+C", "Ctrl+Shift+I",
        "Ctrl+Shift+J", "Ctrl+Shift+N", "Ctrl+Shift+R", "Ctrl+Shift+T", "Ctrl+Shift+W",
        "Ctrl+Shift+Tab"
    ]);
    let mayLeave = false;  // after Escape, Tab leaves the window
    let isCtrlDown = false;

    function isOfBrowser(event) {
        if (event.key == "Tab" && mayLeave) return true;
        const key = event.key.length > 1 ? event.key : event.key.toUpperCase().replace("-", "\u2212");
        const isSign = key.length == 1 && key.toLowerCase() == key;  // Shift has a part in it
        return kOfBrowser.has((held(event) & 1 ? "Ctrl+" : "") +
                              (held(event) & 2 && !isSign ? "Shift+" : "") + key);
    }

    function sendKey(event, isDown) {
        send(isDown ? "press" : "release",
             {held : held(event), text : `${event.code} ${event.key}`});
    }

    function sendText(text) {
        for (const letter of text) send("character", {x : letter.codePointAt(0)});
    }

    // Shows all that an input method has put together so far; the program gets it when it is chosen.
    function widen() {
        keyboard.style.width = "1px";
        keyboard.style.width = keyboard.scrollWidth + "px";
    }

    function listenToKeyboard() {
        keyboard.addEventListener("keydown", (event) => {
            isCtrlDown = event.ctrlKey;
            if (event.isComposing || isOfBrowser(event)) return;
            mayLeave = event.key == "Escape";
            const ctrl = event.ctrlKey || event.metaKey;
            if (ctrl && event.key.toLowerCase() == "v") return;  // comes as a paste
            sendKey(event, true);
            const isText = event.key.length == 1 && !ctrl;
            if (!isText && event.key != "Dead" && event.key != "Process") event.preventDefault();
        });
        keyboard.addEventListener("keyup", (event) => {
            isCtrlDown = event.ctrlKey;
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
            send("clipboard", {text : event.clipboardData.getData("text/plain")});
            const key = {code : "KeyV", key : "v", ctrlKey : true};
            sendKey(key, true);
            sendKey(key, false);
        });
        keyboard.addEventListener("focus", () => send("focus", {y : 1}));
        keyboard.addEventListener("blur", () => {
            isCtrlDown = false;
            send("focus", {});
        });
    }

    // The field of the browser's keyboard lies where the program's text is, for input methods.
    function followText({x, y, types}) {
        keyboard.style.left = x + "px";
        keyboard.style.top = y + "px";
        const mode = types ? "text" : "none";
        if (keyboard.inputMode == mode) return;
        keyboard.inputMode = mode;
        if (types && document.activeElement == keyboard && fingers.size == 0) {
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
        const [x, y, z] = fit();
        send("size", {x, y, z});
    }

    function followSize() {
        const observer = new ResizeObserver(resized);
        try {
            observer.observe(canvas, {box : "device-pixel-content-box"});
        } catch (error) {  // this browser only tells the size in points
            observer.observe(canvas);
        }
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
    //     {file: {name, bytes}}           the answer to {ask}
    // Once it has sent one, it gets {selected}, {study}, {picture} (a PNG), {error} and {ask: name}, the
    // wish for a file that belongs beside an opened recording; and before,
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
        const {open, select, edit, picture, file} = data;
        if (!open && !select && !edit && !picture && !file) return;
        hasParentSpoken = true;
        try {
            if (file) takeAsked(file);
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
            const help = lack == "WebGL 2" ? " Switch hardware acceleration on in its settings." : "";
            say(`This browser lacks ${lack}.${help} Headlight runs in current versions of Chrome, ` +
                `Edge, Firefox and Safari.`);
            return;
        }
        await beginUnpacker();
        const wasm = unpack(byId("program"));
        const glue = document.createElement("script");
        glue.textContent = new TextDecoder().decode(unpack(byId("glue")));
        document.head.append(glue);  // which runs it: createHeadlight
        findData();
        // What the program calls.
        const page = {
            wake, takeFile, giveFile, askFile, copy, copyPicture, fillScreen, fail, send,
            keepsKeys : (keys) => kOfBrowser.has(keys),
            setCursor(name) { canvas.style.cursor = name; },
            setTitle(title) { document.title = title; },
            dataState,
            readData(name) { return unpack(data.get(name)); },
            tellProblem(problem) { tell({error : problem}); },
        };
        program = await createHeadlight({
            canvas, page, wasmBinary : wasm,
            print : () => {}, printErr : () => {},
        });
        const {open, isPresented, isHandedOut} = wanted();
        isKept = !open && await openKept();  // what is made for something begins as it was made
        program.FS.mkdirTree(kFiles);
        unpackFiles();
        const waits = "waits" in document.body.dataset;
        withText(open, (at) => program._page_begin(
            ...fit(), at, isPresented ? 1 : 0, isHandedOut ? 1 : 0));
        if (hasEnded) return;
        rememberState();
        forgetNumbers();
        if (!open && !waits && !isKept)
            withText("The browser keeps nothing of this page: save what you want to find again.",
                program._page_say);
        goToAddress();
        window.addEventListener("hashchange", goToAddress);
        listenToPointer();
        listenToKeyboard();
        followSize();
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
