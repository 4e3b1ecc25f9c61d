// Work on all cores with the interpreter released, and Ctrl-C still heard.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>

#include "pool.hpp"

namespace topoctl {

// Whether work is to be given up: because of a signal, or of an exception elsewhere. Tasks ask often.
class Stop {
public:
    Stop(std::atomic<bool>& asked, bool listens) : asked_(asked), listens_(listens) {}

    explicit operator bool() {
        if (listens_ && !asked_ && Clock::now() >= next_) listen();
        return asked_;
    }

    // Looks for signals, as the thread that holds the interpreter may, and asks whether anybody still waits.
    void listen() {
        const nanobind::gil_scoped_acquire acquired;
        interrupted_ = PyErr_CheckSignals() != 0 || is_unwanted();
        if (interrupted_) asked_ = true;
        next_ = Clock::now() + period;
    }

    bool interrupted() const { return interrupted_; }

    static constexpr std::chrono::milliseconds period{50};

private:
    using Clock = std::chrono::steady_clock;

    // Whether Python raises an error on that question.
    static bool is_unwanted() {
        static const nanobind::handle ask = nanobind::module_::import_("topoctl.interruption")
                                                .attr("require_wanted")
                                                .operator nanobind::object()
                                                .release();
        PyObject* answer = PyObject_CallNoArgs(ask.ptr());
        Py_XDECREF(answer);
        return answer == nullptr;
    }

    std::atomic<bool>& asked_;
    const bool listens_;
    bool interrupted_ = false;
    Clock::time_point next_ = Clock::now() + period;
};

// Runs task(worker, item, stop) for every item in 0..count-1, taken from one queue by up to `threads` threads, of
// which the caller's is worker 0 and the others are the pool's.
// Call it with the GIL held: it is released inside, and taken again every 50 ms to look for signals.
// On a signal, or where nobody waits any more, `stop` becomes true, tasks are expected to return soon, and the Python
// error is raised. An exception in a task stops the rest and is raised again here.
template <class Task>
void parallel_for(std::size_t count, std::size_t threads, Task&& task) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> asked{false};
    std::exception_ptr failure;
    std::mutex mutex;

    auto work = [&](std::size_t worker, Stop& stop) {
        try {
            for (std::size_t item; !stop && (item = next++) < count;) task(worker, item, stop);
        } catch (...) {
            std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            asked = true;
        }
    };
    auto help = [&](std::size_t worker) {
        Stop stop(asked, false);
        work(worker, stop);
    };

    Stop stop(asked, true);
    if (const std::size_t most = std::min(threads, count); most < 2) {
        const nanobind::gil_scoped_release released;
        work(0, stop);
    } else {
        Pool& pool = Pool::of_process();
        Pool::Call call{help, most - 1};
        const nanobind::gil_scoped_release released;
        pool.open(call);
        work(0, stop);
        pool.close(call);
        while (!pool.wait(call, Stop::period))
            if (!asked) stop.listen();
    }
    if (stop.interrupted()) throw nanobind::python_error();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace topoctl
