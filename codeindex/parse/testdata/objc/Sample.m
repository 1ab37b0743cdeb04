#import <Foundation/Foundation.h>
#import "Priced.h"
@import UIKit;

#define RATE 0.19

static NSString * const Name = @"- (void)quoted {";

typedef NS_ENUM(NSInteger, OrderState) {
    OrderStateOpen,
    OrderStatePaid,
};

typedef void (^Handler)(NSError *error);

@class Line;

/// What has a price.
@protocol Priced <NSObject>
- (double)price;
@end

/** An order of some lines. */
@interface Order : NSObject <Priced>
@property (nonatomic, copy) NSArray<Line *> *lines;
- (instancetype)initWithLines:(NSArray *)lines;
+ (Order *)empty;
@end

@implementation Order

// Makes one. - (void)commented {}
- (instancetype)initWithLines:(NSArray *)lines {
    if (self = [super init]) {
        _lines = [lines copy];
    }
    return self;
}

/*
- (void)alsoCommented {
}
*/

+ (Order *)empty { return [[self alloc] initWithLines:@[]]; }

- (double)price
{
    double sum = 0;
    for (Line *line in self.lines) {
        sum += withTax(line.amount);
    }
    return sum;
}

@end

/// Adds the tax.
static double withTax(double amount) {
    return amount * (1 + RATE);
}

struct Pair {
    int a, b;
};

int main(int argc, char *argv[])
{
    NSLog(@"%f }", withTax(1));
    return 0;
}
