// The frame with the page in the output of a cell: it hands on what the kernel and the page tell
// each other.

const pages = (globalThis.headlightPages ??= new Map());  // promises of the page, by the kernel's side

// Sends a wish to the kernel; the promise is of its answer, [content, buffers].
function ask(model, wish) {
    return new Promise((resolve) => {
        const hear = (content, buffers) => {
            if (!(wish in content)) return;
            model.off("msg:custom", hear);
            resolve([content, buffers]);
        };
        model.on("msg:custom", hear);
        model.send({want : wish});
    });
}

const bytesOf = (view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);

async function fetchPage(model) {
    const [, [packed]] = await ask(model, "page");
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const html = await new Response(stream).text();
    return html.replace("<body", "<body data-waits");
}

function pageFor(model) {
    if (!pages.has("page")) pages.set("page", fetchPage(model));
    return pages.get("page");
}

function render({model, el}) {
    const problem = document.createElement("div");
    problem.style.cssText = "color: #b00020; font: 13px/1.5 system-ui, sans-serif";
    const frame = document.createElement("iframe");
    // No allow-same-origin: what is shown cannot reach the notebook.
    frame.sandbox = "allow-scripts allow-downloads";
    frame.allow = "clipboard-write; fullscreen";
    frame.title = "Headlight";
    frame.style.cssText = "width: 100%; border: 1px solid #ddd; box-sizing: border-box";
    const hidden = document.createElement("style");
    el.append(frame, problem, hidden);

    let isReady = false, told = "", shown = {}, lastStudy = "", pictureTimer = 0, isOver = false;

    const send = (message, moved = []) => frame.contentWindow?.postMessage(message, "*", moved);
    const fit = () => { frame.style.height = model.get("height") + "px"; };
    const showProblem = () => { problem.textContent = model.get("error"); };

    function takePicture() {
        clearTimeout(pictureTimer);
        pictureTimer = setTimeout(() => send({picture : true}), 1500);
    }

    function select() {
        const wanted = model.get("selected");
        const text = JSON.stringify(wanted);
        if (!isReady || text == told || !Object.keys(wanted).length) return;
        told = text;
        send({select : wanted});
    }

    async function open() {
        const [{files}, buffers] = await ask(model, "files");
        if (isOver) return;
        const [bytes, ...others] = buffers.map(bytesOf);
        // A frame that was put back into the document begins anew; what was edited is kept.
        const edited = lastStudy && files[0].endsWith(".headlight");
        const beside = Object.fromEntries(others.map((data, k) => [files[k + 1], data]));
        const opened = edited ? new TextEncoder().encode(lastStudy).buffer : bytes;
        send({open : {name : files[0], bytes : opened, beside}}, [opened, ...others]);
        isReady = true;
        told = "";
        select();
        takePicture();
    }

    const takers = {
        ready : open,
        selected(selected) {
            told = JSON.stringify(selected);
            shown = selected;
            model.set("selected", selected);
            model.set("error", "");
            model.save_changes();
            takePicture();
        },
        study(study) {
            lastStudy = study;
            model.send({study});
            takePicture();
        },
        ask(name) { model.send({want : "file", name}); },
        picture(bytes) { model.send({picture : true}, undefined, [bytes]); },
        error(text) {
            told = JSON.stringify(shown);
            model.set("selected", shown);  // the window is where it was
            model.set("error", text);
            model.save_changes();
        },
    };

    function hear({source, data}) {
        if (source != frame.contentWindow || !data || typeof data != "object") return;
        for (const [name, take] of Object.entries(takers))
            if (name in data) take(data[name]);
    }

    function hearKernel(content, buffers) {
        if (content.file && isReady) {
            const bytes = bytesOf(buffers[0]);
            send({file : {name : content.file, bytes}}, [bytes]);
        }
        if (content.reopen) lastStudy = "";
        if (content.reopen && isReady) open();
        if (content.edit && isReady) send({edit : content.edit});
    }

    addEventListener("message", hear);
    model.on("msg:custom", hearKernel);
    model.on("change:selected", select);
    model.on("change:height", fit);
    model.on("change:error", showProblem);
    fit();
    showProblem();
    pageFor(model).then((html) => {
        if (isOver) return;
        frame.srcdoc = html;
        hidden.textContent = `.headlight-${model.get("_key")} { display: none !important; }`;
    });
    return () => {
        isOver = true;
        clearTimeout(pictureTimer);
        removeEventListener("message", hear);
        model.off("msg:custom", hearKernel);
        model.off("change:selected", select);
        model.off("change:height", fit);
        model.off("change:error", showProblem);
    };
}

export default {render};
