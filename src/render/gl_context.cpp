#include "render/gl_context.h"

#include <cstring>
#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <string>

#include "core/error.h"
#include "render/gl.h"

namespace headlight {
namespace {

// Throws Error if a library is missing: libepoxy would end the program, so they are looked for
// first.
void check_library(const char* file, const char* package) {
    void* library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) {
        throw Error("OpenGL", "{} is missing; install the package {}", file, package);
    }
    dlclose(library);
}

}  // namespace

void check_gl_libraries() {
    check_library("libEGL.so.1", "libegl1");
    check_library("libGL.so.1", "libgl1");
}

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw Error(
        "OpenGL without a display",
        "{} (EGL error {:#x}); install the packages libegl1, libegl-mesa0 and libgl1-mesa-dri",
        what, static_cast<unsigned>(eglGetError()));
}

EGLDisplay open_display() {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (extensions == nullptr || !std::strstr(extensions, "EGL_MESA_platform_surfaceless")) {
        fail("EGL has no surfaceless platform");
    }
    EGLDisplay display =
        eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    EGLint major = 0, minor = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor)) {
        fail("EGL cannot be started");
    }
    return display;
}

EGLConfig choose_config(EGLDisplay display, GlApi api) {
    const EGLint renderable = api == GlApi::Desktop ? EGL_OPENGL_BIT : EGL_OPENGL_ES3_BIT;
    // Without a surface type EGL asks for windows, which this platform has none of.
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, renderable,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) {
        fail("EGL offers no configuration");
    }
    return config;
}

EGLContext make_context(EGLDisplay display, GlApi api) {
    EGLConfig config = choose_config(display, api);
    const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    const EGLint embedded[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT,
                                          api == GlApi::Desktop ? desktop : embedded);
    if (context == EGL_NO_CONTEXT) {
        fail(api == GlApi::Desktop ? "OpenGL 3.3 is not available"
                                   : "OpenGL ES 3.0 is not available");
    }
    return context;
}

}  // namespace

HeadlessContext::HeadlessContext(GlApi api) {
    check_gl_libraries();
    display_ = open_display();
    eglBindAPI(api == GlApi::Desktop ? EGL_OPENGL_API : EGL_OPENGL_ES_API);
    context_ = make_context(display_, api);
    make_current();
}

HeadlessContext::~HeadlessContext() {
    // The display is shared by every context of the process: it stays.
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
}

void HeadlessContext::make_current() const {
    if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
        fail("the context cannot be made current");
    }
}

namespace {

std::string gl_text(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text == nullptr ? "unknown" : reinterpret_cast<const char*>(text);
}

}  // namespace

GlInfo gl_info() {
    GlInfo info{gl_text(GL_VENDOR), gl_text(GL_RENDERER), gl_text(GL_VERSION),
                gl_text(GL_SHADING_LANGUAGE_VERSION)};
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &info.max_texture_size);
    return info;
}

bool is_gles() {
    return !epoxy_is_desktop_gl();
}

}  // namespace headlight
